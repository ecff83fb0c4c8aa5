"use strict";
// Searches and sorts the table of pages. Without this script, the table is complete but not searchable.
const body = document.querySelector("#pages tbody");
const heads = [...document.querySelectorAll("#pages th")];
const search = document.getElementById("search");
const number = new Intl.NumberFormat("en");
const order = new Intl.Collator("en", { numeric: true }).compare;
const rows = [...body.rows].map((row) => {
  const cells = [...row.cells].map((cell) => cell.textContent.trim());
  return { row, cells, text: cells.join(" ").toLowerCase() };
});

function find() {
  const wanted = search.value.trim().toLowerCase();
  let found = 0;
  for (const { row, text } of rows) {
    row.hidden = !text.includes(wanted);
    found += !row.hidden;
  }
  document.getElementById("count").textContent = `${number.format(found)} of ${number.format(rows.length)} pages`;
}

function sort(column) {
  const isAscending = heads[column].ariaSort !== "ascending";
  for (const head of heads) head.ariaSort = null;
  heads[column].ariaSort = isAscending ? "ascending" : "descending";
  rows.sort((a, b) => (isAscending ? 1 : -1) * order(a.cells[column], b.cells[column]));
  body.replaceChildren(...rows.map(({ row }) => row));
}

for (const [column, head] of heads.entries()) {
  const button = document.createElement("button");
  button.append(head.textContent);
  button.addEventListener("click", () => sort(column));
  head.replaceChildren(button);
}
for (const link of document.querySelectorAll("a[href='#pages']")) {
  link.addEventListener("click", () => {
    search.value = link.dataset.search ?? "";
    find();
  });
}
search.addEventListener("input", find);
document.getElementById("tools").hidden = false;
find();
