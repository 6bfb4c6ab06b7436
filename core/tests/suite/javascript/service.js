// The service under test: sends each request exactly as a test writes it.
//
// `fetch` would add header fields, refuse some verbs and bodies, and tidy up URLs; node:http does not.
import http from "node:http";
import https from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";

const TIME_LIMIT_MS = 60_000;
const KEEPER_LIMIT_MS = 300_000;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_WAIT_MS = 30_000;
const MAX_RESENDS = 3;
const WITH_CONTENT = ["PATCH", "POST", "PUT"];

// Environment variables that hold the header fields of each user, one `Name: value` a line (`?name=value` for a
// query parameter).
const USERS = new Map([
  ["alice", "RESTIVE_AUTH_ALICE"],
]);

// A `restive sut serve` that says where the service listens and resets it; none when empty.
const KEEPER = withoutSlash(process.env.RESTIVE_SUT_URL ?? "");
const BASE_URL = withoutSlash(process.env.RESTIVE_BASE_URL ?? (await servedUrl("http://127.0.0.1:8080/api")));

// What texts look like whose values differ from run to run.
export const UUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
export const DATE_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$/;
export const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
export const DIGITS = /^[0-9]+$/;
export const HEXADECIMAL = /^[0-9A-Fa-f]{8,}$/;

// Calls of each verb: service.post(url, { headers, json, body, user }). `headers` is an object or a list of pairs.
export const service = Object.fromEntries(
  ["get", "put", "post", "delete", "options", "head", "patch", "trace"].map((verb) => [
    verb,
    (url, options) => request(verb.toUpperCase(), url, options),
  ]),
);

// Brings the service back to its first state, when it has a call or a keeper for that.
export async function reset() {
  if (KEEPER) {
    await askKeeper("POST", "/reset");
    return;
  }
  const url = process.env.RESTIVE_RESET_URL ?? "/reset";
  if (url) {
    const { status } = await request(process.env.RESTIVE_RESET_VERB ?? "POST", url);
    if (status >= 400) throw new Error(`${url} answered ${status}`);
  }
}

// Asks the keeper; its answer comes when the work is done.
async function askKeeper(verb, path) {
  const url = KEEPER + path;
  const headers = { Authorization: `Bearer ${process.env.RESTIVE_SUT_TOKEN ?? ""}` };
  const answer = await fetch(url, { method: verb, headers, signal: AbortSignal.timeout(KEEPER_LIMIT_MS) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${verb} ${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

// Where a kept service listens; the path below which the tests call stays, unless the keeper names one.
async function servedUrl(written) {
  if (!KEEPER) return written;
  const served = withoutSlash((await askKeeper("GET", "/status")).base_url);
  return new URL(served).pathname === "/" ? new URL(served).origin + new URL(written).pathname : served;
}

function withoutSlash(url) {
  return url.replace(/\/+$/, "");
}

async function request(verb, url, { headers = {}, json, body, user } = {}) {
  const given = Array.isArray(headers) ? headers : Object.entries(headers);
  const fields = [["Accept", "*/*"], ["User-Agent", "restive-suite"]].filter(([name]) => !has(given, name));
  fields.push(...given);
  if (json !== undefined && !has(fields, "Content-Type")) fields.push(["Content-Type", "application/json"]);
  const target = addCredentials(fields, url, user);
  const content = Buffer.from((json === undefined ? body : JSON.stringify(json)) ?? "");
  if (content.length > 0 || WITH_CONTENT.includes(verb)) fields.push(["Content-Length", String(content.length)]);
  for (let resends = 0; ; resends += 1) {
    const response = await send(verb, target, fields, content);
    const asked = askedWait(response);
    if (asked === undefined || resends === MAX_RESENDS) return response;
    await wait(asked);
  }
}

// Sends a request once and reads its answer.
function send(verb, target, fields, content) {
  const url = /^https?:\/\//.test(target) ? target : BASE_URL + target;
  const [, origin, path] = /^([^/]+\/\/[^/?]+)(.*)$/s.exec(url);
  const { protocol, host, hostname, port } = new URL(origin);
  const latin1 = (text) => Buffer.from(text).toString("latin1");
  const options = {
    method: verb,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    path: path.startsWith("/") ? path : `/${path}`,
    // A list of fields is sent as it is.
    headers: [["Host", host], ...fields].flatMap(([name, value]) => [name, latin1(value)]),
    agent: false,
    timeout: TIME_LIMIT_MS,
  };
  return new Promise((resolve, reject) => {
    const call = (protocol === "https:" ? https : http).request(options, (answer) => read(answer).then(resolve, reject));
    call.on("error", reject);
    call.on("timeout", () => call.destroy(new Error("no answer in time")));
    call.end(content);
  });
}

async function read(answer) {
  const chunks = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BODY_BYTES) break;
  }
  const bytes = decoded(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), answer.headers["content-encoding"] ?? "");
  const text = () => bytes.toString("utf8");
  return { status: answer.statusCode, headers: answer.headers, bytes, text, json: () => parse(text()) };
}

// A body without its content codings; as it came when one of them is unknown or wrong.
function decoded(body, codings) {
  let plain = body;
  try {
    for (const coding of codings.toLowerCase().split(/[\s,]+/).filter(Boolean).reverse()) {
      if (coding === "gzip" || coding === "x-gzip") plain = zlib.gunzipSync(plain);
      else if (coding === "deflate") plain = zlib.inflateSync(plain);
      else if (coding !== "identity") return body;
    }
    return plain;
  } catch {
    return body;
  }
}

// JSON as a value; whole numbers of 64 bits that a number cannot hold are big ones.
function parse(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (found) =>
    isBig(found) ? `"\\u0000big:${found}"` : found,
  );
  const big = /^\0big:(-?\d{16,20})$/;
  const revive = (_, value) => (typeof value === "string" && big.test(value) ? BigInt(big.exec(value)[1]) : value);
  return JSON.parse(marked, revive);
}

function isBig(found) {
  if (!/^-?\d{16,20}$/.test(found) || Number.isSafeInteger(Number(found))) return false;
  return -(2n ** 63n) <= BigInt(found) && BigInt(found) < 2n ** 64n;
}

// How many milliseconds the service asks to wait before the same request; undefined when the answer counts.
function askedWait({ status, headers }) {
  const asked = status === 429 ? (headers["retry-after"] ?? "").trim() : "";
  const milliseconds = /^\d+$/.test(asked) ? 1000 * Number(asked) : Date.parse(asked) - Date.now();
  return milliseconds <= MAX_WAIT_MS ? Math.max(milliseconds, 0) : undefined;
}

function has(fields, name) {
  return fields.some(([other]) => other.toLowerCase() === name.toLowerCase());
}

// Adds the fields for every call and those of a user, in place of others; cookies are joined. Returns the URL to call.
function addCredentials(fields, url, user) {
  const lines = `${process.env.RESTIVE_HEADERS ?? ""}\n${user === undefined ? "" : secret(user)}`;
  let target = url;
  for (const line of lines.split(/\r?\n/).filter(Boolean)) {
    if (line.startsWith("?")) {
      target += (target.includes("?") ? "&" : "?") + line.slice(1);
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim();
    let value = line.slice(colon + 1).trim();
    const same = fields.filter(([other]) => other.toLowerCase() === name.toLowerCase());
    if (name.toLowerCase() === "cookie" && same.length > 0) value = `${same[0][1]}; ${value}`;
    for (const field of same) fields.splice(fields.indexOf(field), 1);
    fields.push([name, value]);
  }
  return target;
}

// The header fields of a user, from the environment.
function secret(user) {
  const name = USERS.get(user);
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`set ${name} to the header fields of ${user}, such as 'Authorization: Bearer ...'`);
  }
  return value;
}

// The media type of an answer without parameters.
export function mediaType(response) {
  return (response.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
}

// A segment of the path of a URL, counted from the last one, which is 0.
export function segment(url, fromEnd) {
  return decodeURIComponent(url.split(/[?#]/)[0].split("/").filter(Boolean).at(-1 - fromEnd));
}

// The value of the cookie of that name that an answer sets.
export function cookie(response, name) {
  const field = (response.headers["set-cookie"] ?? []).findLast((set) => set.startsWith(`${name}=`));
  return field.slice(name.length + 1).split(";")[0].trim();
}

const KINDS = ["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789"];

// Another text of the same kind: the service takes each once. What stands behind an @ stays.
export function fresh(like) {
  const [head, ...tail] = like.split("@");
  const draw = (letter) => {
    const kind = KINDS.find((letters) => letters.includes(letter)) ?? letter;
    return kind[Math.floor(Math.random() * kind.length)];
  };
  return [[...head].map(draw).join(""), ...tail].join("@");
}

// The last segment of the `Location` field: usually the id of what was created.
export function lastSegment(response) {
  return segment(response.headers.location, 0);
}

// The value at a JSON pointer.
export function at(body, pointer) {
  const keys = pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce((value, key) => (Object.hasOwn(value, key) ? value[key] : undefined), body);
}

export function isNumber(value) {
  return typeof value === "number" || typeof value === "bigint";
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The members of a list whose order means nothing: numbers by value, texts by their characters.
export function sorted(list) {
  return [...list].sort(compare);
}

function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

// A value as it stands in a URL.
export function urlPart(value) {
  const escape = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value).replace(/[!'()*]/g, escape);
}

// A value as it stands between the quotes of a JSON string.
export function jsonPart(value) {
  return JSON.stringify(String(value)).slice(1, -1);
}

// A value as it stands in XML.
export function xmlPart(value) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return String(value).replace(/[&<>"']/g, (character) => names[character]);
}
