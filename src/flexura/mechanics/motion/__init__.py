"""Equations of motion, iteration matrix, powers, observation."""
