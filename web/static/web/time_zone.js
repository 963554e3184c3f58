// Fill in the browser's time zone in forms where nothing has been chosen yet.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll("select[data-time-zone]")) {
  if ([...select.options].some((option) => option.value === zone)) select.value = zone;
}
for (const input of document.querySelectorAll("input[data-time-zone]")) input.value = zone;

// Show a stranger times in the browser's time zone, in the same format as the server.
const full = { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const format = new Intl.DateTimeFormat(document.documentElement.lang, full);
for (const text of document.querySelectorAll("[data-moment]")) {
  const { moment, shown } = text.dataset;
  const parts = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  const { weekday, day, month, year, hour, minute } = parts;
  text.textContent = text.textContent.replace(shown, `${weekday} ${day} ${month} ${year}, ${hour}:${minute} (${zone})`);
}
