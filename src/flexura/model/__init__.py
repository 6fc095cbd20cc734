"""Models as values: their names, files, schema and checks, without mechanics."""
