// formulas that are wider than their page are made smaller, so that nothing is cut off
function fit() {
  for (const formula of document.querySelectorAll("article math")) {
    formula.style.fontSize = "";
    const block = formula.closest("div.math, td, p, li, dd");
    if (!block || block.closest("table") && !block.closest("div.math")) continue;
    const style = getComputedStyle(block);
    const room = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const need = formula.getBoundingClientRect().width;
    if (room > 0 && need > room) {
      formula.style.fontSize = `${0.98 * room / need * parseFloat(getComputedStyle(formula).fontSize)}px`;
    }
  }
}
addEventListener("load", fit);
addEventListener("resize", fit);
