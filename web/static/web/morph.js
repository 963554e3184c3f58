// Update parts of an open page without losing what the person has opened, typed, chosen or scrolled to: an element that
// still means the same stays, and only the differences are applied to it. htmx does this for parts marked ":morph".

const IN_USE = "[id], form, details, a, button, input, option, select, textarea";
// What belongs to a move is always replaced, because the move may no longer be possible. So is a form that fairness.js
// sends by itself.
const REPLACED = "[form], form:has([data-wanted])";
const DATA = "input[type=hidden]:not([name=csrfmiddlewaretoken], [data-salt] *)";

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const isInUse = (node) => isElement(node) && (node.matches(IN_USE) || node.querySelector(IN_USE) !== null);

function meaning(element) {
  if (element.matches(REPLACED)) return Symbol("new");
  const facts = [element.localName, element.id, element.getAttribute("name"), element.getAttribute("href")];
  if (element.matches("form")) {
    facts.push(element.getAttribute("action"), ...[...element.querySelectorAll(DATA)].map((one) => `${one.name}=${one.value}`));
  }
  if (element.matches("input")) facts.push(element.type);
  if (element.matches("button, option, [type=checkbox], [type=radio]")) facts.push(element.getAttribute("value"));
  if (element.matches("a, button, option")) facts.push(element.textContent);
  if (element.matches("details")) facts.push(element.querySelector("summary")?.textContent);
  return JSON.stringify(facts);
}

// Find the node that becomes the new one, but don't skip any that becomes a later one.
function predecessor(first, fresh, later) {
  if (!isElement(fresh)) return first?.nodeType === fresh.nodeType ? first : null;
  const wanted = meaning(fresh);
  for (let node = first; node; node = node.nextSibling) {
    if (!isElement(node)) continue;
    const found = meaning(node);
    if (found === wanted) return node;
    if (later.includes(found)) return null;
  }
  return null;
}

function morphAttributes(old, fresh) {
  const isOwn = (name) => name === "open" && old.matches("details");
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name) && !isOwn(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isOwn(name)) old.setAttribute(name, value);
  }
}

function removeBetween(first, end) {
  for (let node = first; node !== end; ) {
    const next = node.nextSibling;
    node.remove();
    node = next;
  }
}

// Return the elements that were added.
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return [];
  if (!isElement(old)) {
    old.data = fresh.data;
    return [];
  }
  morphAttributes(old, fresh);
  return old.matches("[data-salt]") ? [] : morphChildren(old, fresh); // fairness.js fills it in
}

function morphChildren(old, fresh) {
  const children = [...fresh.childNodes];
  const meanings = children.map((child) => isInUse(child) && meaning(child));
  const added = [];
  let next = old.firstChild;
  for (const [index, child] of children.entries()) {
    const node = predecessor(next, child, meanings.slice(index + 1));
    if (node) {
      removeBetween(next, node);
      added.push(...morph(node, child));
      next = node.nextSibling;
    } else {
      old.insertBefore(child, next);
      if (isElement(child)) added.push(child);
    }
  }
  removeBetween(next, null);
  return added;
}

htmx.defineExtension("morph", {
  isInlineSwap: (style) => style === "morph",
  handleSwap: (style, target, fragment) => style === "morph" && morph(target, fragment.firstElementChild),
});
