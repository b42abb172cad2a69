// Styles come with their components: a board is never there without them, and each needs one request less.
export default { compilerOptions: { runes: true, css: "injected" } };
