// Show what a signal depends on: its cone, from the signal down to the inputs.
(() => {
  const svg = document.getElementById("picture");
  if (!svg) return;
  const lines = [...svg.querySelectorAll(".line")];
  const below = new Map();
  for (const line of lines) {
    const to = line.dataset.to;
    if (!below.has(to)) below.set(to, []);
    below.get(to).push(line);
  }
  let chosen = null;
  const show = (node) => {
    svg.querySelectorAll(".cone").forEach((part) => part.classList.remove("cone"));
    chosen = node === chosen ? null : node;
    svg.classList.toggle("chosen", chosen !== null);
    if (chosen === null) return;
    const seen = new Set([chosen]), open = [chosen];
    while (open.length) {
      for (const line of below.get(open.pop()) ?? []) {
        line.classList.add("cone");
        if (!seen.has(line.dataset.from)) {
          seen.add(line.dataset.from);
          open.push(line.dataset.from);
        }
      }
    }
    for (const signal of svg.querySelectorAll(".signal")) {
      signal.classList.toggle("cone", seen.has(signal.dataset.node));
    }
  };
  svg.addEventListener("click", (event) => {
    const signal = event.target.closest(".signal");
    if (signal) show(signal.dataset.node);
    else if (chosen !== null) show(chosen);
  });
  svg.addEventListener("keydown", (event) => {
    const signal = event.target.closest(".signal");
    if (signal && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      show(signal.dataset.node);
    }
  });
})();

// While a run is under way, ask for its trace; when it has ended, load the whole report.
if (watching.live) {
  const ask = async () => {
    try {
      const answer = await (await fetch("trace.json")).json();
      if (answer.finished) {
        location.reload();
        return;
      }
      const source = Bokeh.documents.map((document) => document.get_model_by_name("trace")).find(Boolean);
      if (source) source.data = answer.columns;
      const iterations = answer.columns.iteration;
      if (iterations.length) {
        document.getElementById("iteration").textContent = iterations[iterations.length - 1].toLocaleString("en");
      }
    } catch {
      document.getElementById("state").textContent = "The server has stopped.";
      return;
    }
    setTimeout(ask, 1000);
  };
  setTimeout(ask, 1000);
}
