// What is wrong with how a page looks: an array of sentences, none where it is right.
const wrong = [];
const WIDE = 1; // pixels by which a browser may round
const ENOUGH = 4.5, ENOUGH_IF_LARGE = 3; // WCAG 2.2, contrast (minimum)
const READABLE = 500; // pixels: the drawings are 460 wide, with words of 12 and 13
const page = document.documentElement;
const still = new CSSStyleSheet(); // which a Content Security Policy allows, unlike an element
still.replaceSync("* { transition: none !important }"); // no color is halfway to another one
document.adoptedStyleSheets = [still];

const told = (element) => `<${element.tagName.toLowerCase()}> "${element.textContent.trim().slice(0, 40)}"`;
const channels = (colour) => (colour.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
const opacity = (colour) => channels(colour)[3] ?? 1;

function over(front, back) {
  const share = opacity(front);
  return channels(front).slice(0, 3).map((value, at) => value * share + back[at] * (1 - share));
}

function background(element) {
  if (!element) return [255, 255, 255];
  const own = getComputedStyle(element).backgroundColor;
  return opacity(own) === 1 ? channels(own) : over(own, background(element.parentElement));
}

function luminance(colour) {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(element) {
  const back = background(element);
  const [dark, light] = [luminance(back), luminance(over(getComputedStyle(element).color, back))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function isScrolled(element) {
  for (let it = element; it && it !== document.body; it = it.parentElement) {
    if (["auto", "scroll"].includes(getComputedStyle(it).overflowX)) return true;
  }
  return false;
}

if (page.scrollWidth > innerWidth) wrong.push(`the page is ${page.scrollWidth} wide in a window of ${innerWidth}`);
for (const image of document.images) {
  if (!image.complete || !image.naturalWidth) wrong.push(`${image.src} is not shown`);
  const isTooSmall = image.src.endsWith(".svg") && image.width < READABLE;
  if (isTooSmall) wrong.push(`the words of ${image.src} are too small`);
}
for (const name of document.querySelectorAll(".md-typeset td:first-child code")) {
  if (name.getClientRects().length > 1) wrong.push(`${told(name)} is broken`);
}
for (const element of document.querySelectorAll("body *")) {
  const words = [...element.childNodes].some((it) => it.nodeType === Node.TEXT_NODE && it.textContent.trim());
  const style = getComputedStyle(element);
  if (!words || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  const box = element.getBoundingClientRect();
  if (box.width <= WIDE || box.height <= WIDE || style.clipPath !== "none") continue; // for those who hear the page
  const hides = ["hidden", "clip"].includes(style.overflowX);
  if (hides && element.scrollWidth > element.clientWidth + WIDE) wrong.push(`${told(element)} is cut off`);
  if (box.right > innerWidth + WIDE && !isScrolled(element)) wrong.push(`${told(element)} leaves the window`);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (size && contrast(element) < (isLarge ? ENOUGH_IF_LARGE : ENOUGH)) {
    wrong.push(`${told(element)} has a contrast of ${contrast(element).toFixed(1)}`);
  }
}
return [...new Set(wrong)];
