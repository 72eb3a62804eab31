// A game of two random players, with nothing but openapi-fetch and the types of openapi-typescript.

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Game = components["schemas"]["Game"];

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] });

function good<T>({ data, error }: { data?: T; error?: components["schemas"]["Problem"] }): T {
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  if (data === undefined) throw new Error("an answer without a body");
  return data;
}

async function step(game: Game, token: string): Promise<Game> {
  const params = { path: { game_id: game.id } };
  const headers = { Authorization: `Bearer ${token}` };
  const { steps } = good(
    await client.GET("/v1/games/{game_id}/legal-steps", { params, headers }),
  );
  const body = {
    steps: [steps[Math.floor(Math.random() * steps.length)]],
    expected_version: game.version,
  };
  return good(await client.POST("/v1/games/{game_id}/steps", { params, headers, body })).game;
}

const created = good(await client.POST("/v1/games", { body: { name: "One" } }));
const params = { path: { game_id: created.game.id } };
const joined = good(
  await client.POST("/v1/games/{game_id}/seats", { params, body: { name: "Two" } }),
);
const tokens = new Map([created, joined].map(({ seat, token }) => [seat, token]));

let game: Game = joined.game;
while (game.turn) {
  const token = tokens.get(game.turn.seat);
  if (token === undefined) throw new Error(`nobody plays seat ${game.turn.seat}`);
  game = await step(game, token);
}
if (!game.result) throw new Error(`a game that ended ${game.status}`);
console.log("won by", ...game.result.winners);
