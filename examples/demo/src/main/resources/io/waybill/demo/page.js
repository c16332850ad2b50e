// Renews the parts of the page that change; without it the browser loads the whole page again.
const parts = ["result", "now", "faults", "happened", "end"];

async function renew() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of parts) {
      const old = document.getElementById(id);
      const next = fresh.getElementById(id);
      if (old.innerHTML !== next.innerHTML) {
        const focused = document.activeElement.id;
        old.replaceWith(document.adoptNode(next));
        if (focused !== "" && document.activeElement.id !== focused) {
          document.getElementById(focused)?.focus();
        }
      }
    }
  } catch {
    document.getElementById("gone").hidden = false;
    clearInterval(timer);
  }
}

const timer = setInterval(renew, 1000);
