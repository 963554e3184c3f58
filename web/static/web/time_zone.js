// Fill in the browser's time zone in forms where nothing has been chosen yet.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll("select[data-time-zone]")) {
  if ([...select.options].some((option) => option.value === zone)) select.value = zone;
}
for (const input of document.querySelectorAll("input[data-time-zone]")) input.value = zone;
