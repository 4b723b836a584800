// Draws the figures one after the other. What is drawn stays reachable as kumihimoFigures[name].
window.kumihimoFigures = {};

async function draw(drawing) {
    const name = drawing.id.slice("drawing-".length);
    const specification = JSON.parse(document.getElementById(`specification-${name}`).textContent);
    const options = {
        mode: "vega-lite",
        renderer: drawing.dataset.renderer,
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: `kumihimo-${name}`,
        tooltip: { theme: "light" },
    };
    try {
        const result = await window.vegaEmbed(drawing, specification, options);
        window.kumihimoFigures[name] = result.view;
    } catch (error) {
        drawing.textContent = `This figure could not be drawn: ${error.message}`;
        drawing.classList.add("failed");
        console.error(error);
    }
}

for (const drawing of document.querySelectorAll(".drawing")) {
    await draw(drawing);
}
document.body.dataset.drawn = "yes";
