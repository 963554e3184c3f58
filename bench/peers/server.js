// Serve Coloretto with boardgame.io's FlatFile storage: node server.js PORT FOLDER

const { FlatFile, Server } = require("boardgame.io/server");
const coloretto = require("./coloretto");

const [port, folder] = process.argv.slice(2);
const server = Server({ games: [coloretto], db: new FlatFile({ dir: folder }), origins: [/127\.0\.0\.1/] });
server.run({ port: Number(port), lobbyConfig: {} });
