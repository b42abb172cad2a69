// Styles are files of their own: the first paint has them, and the server's policy needs no 'unsafe-inline'.
export default { compilerOptions: { runes: true } };
