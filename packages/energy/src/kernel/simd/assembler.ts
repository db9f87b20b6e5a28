/**
 * Writes WebAssembly: an expression is the bytes that leave its value on the stack, a statement those that leave nothing. Only
 * what the passes use; numbers of instructions are those of the WebAssembly 2.0 core specification.
 */
export type Kind = 'i32' | 'f64' | 'v128'
declare const kind: unique symbol
export type Code<K extends Kind | 'none' = Kind | 'none'> = readonly number[] & { readonly [kind]?: K }
export type Local<K extends Kind> = { get: Code<K>; set: (value: Code<K>) => Code<'none'> }

const TYPES: Record<Kind, number> = { i32: 0x7f, f64: 0x7c, v128: 0x7b }

function unsigned(value: number): number[] {
  const low = value & 0x7f
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return last ? [low] : [low | 0x80, ...signed(rest)]
}

const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()]
const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes]
const text = (value: string) => sized([...new TextEncoder().encode(value)])
const wide = (code: number) => [0xfd, ...unsigned(code)]

const one =
  <A extends Kind, R extends Kind>(code: number[]) =>
  (a: Code<A>): Code<R> => [...a, ...code]
const two =
  <A extends Kind, B extends Kind, R extends Kind>(code: number[]) =>
  (a: Code<A>, b: Code<B>): Code<R> => [...a, ...b, ...code]
const vectors = (code: number) => two<'v128', 'v128', 'v128'>(wide(code))
const place = (offset: number) => [0, ...unsigned(offset)]

export const i32 = {
  of: (value: number): Code<'i32'> => [0x41, ...signed(value)],
  add: two<'i32', 'i32', 'i32'>([0x6a]),
  below: two<'i32', 'i32', 'i32'>([0x49]),
  or: two<'i32', 'i32', 'i32'>([0x72]),
  shift: (a: Code<'i32'>, by: number): Code<'i32'> => [...a, ...i32.of(by), 0x74],
  store: (at: Code<'i32'>, value: Code<'i32'>, offset = 0): Code<'none'> => [...at, ...value, 0x36, ...place(offset)],
  load: (at: Code<'i32'>, offset = 0): Code<'i32'> => [...at, 0x28, ...place(offset)],
}

export const f64 = {
  of: (value: number): Code<'f64'> => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  add: two<'f64', 'f64', 'f64'>([0xa0]),
  store: (at: Code<'i32'>, value: Code<'f64'>, offset = 0): Code<'none'> => [...at, ...value, 0x39, ...place(offset)],
  load: (at: Code<'i32'>, offset = 0): Code<'f64'> => [...at, 0x2b, ...place(offset)],
}

/** Four integers or two doubles at a time. A comparison leaves all ones, which is -1, where it holds. */
export const v128 = {
  load: (at: Code<'i32'>, offset = 0): Code<'v128'> => [...at, ...wide(0x00), ...place(offset)],
  /** The same integer four times. */
  repeat: (at: Code<'i32'>): Code<'v128'> => [...at, ...wide(0x09), ...place(0)],
  store: (at: Code<'i32'>, value: Code<'v128'>, offset = 0): Code<'none'> => [
    ...at,
    ...value,
    ...wide(0x0b),
    ...place(offset),
  ],
  zero: [...wide(0x0c), ...Array<number>(16).fill(0)] as Code<'v128'>,
  and: vectors(0x4e),
  andNot: vectors(0x4f),
  or: vectors(0x50),
  any: one<'v128', 'i32'>(wide(0x53)),
  /** A bit for each of the four integers: whether it is below zero, as a comparison that holds is. */
  bits: one<'v128', 'i32'>(wide(0xa4)),
  equal: vectors(0x37),
  greater: vectors(0x3b),
  atLeast: vectors(0x3f),
  add: vectors(0xae),
  subtract: vectors(0xb1),
  least: vectors(0xb6),
  most: vectors(0xb8),
  integers: (value: number): Code<'v128'> => [...i32.of(value), ...wide(0x11)],
}

const shuffle =
  (lanes: number[]) =>
  (a: Code<'v128'>, b: Code<'v128'>): Code<'v128'> => [...a, ...b, ...wide(0x0d), ...lanes]
const bytesOf = (...integers: number[]) => integers.flatMap((at) => [0, 1, 2, 3].map((byte) => at * 4 + byte))

const even = shuffle(bytesOf(0, 2, 4, 6))
const spread = { lower: shuffle(bytesOf(0, 4, 1, 5)), upper: shuffle(bytesOf(2, 6, 3, 7)) }

export const doubles = {
  repeat: one<'f64', 'v128'>(wide(0x14)),
  /** The two lower integers as doubles, and the two upper ones; `exponent` is what `EXPONENT` says, `base` 2^52. */
  lower: (a: Code<'v128'>, exponent: Code<'v128'>, base: Code<'v128'>): Code<'v128'> =>
    doubles.subtract(spread.lower(a, exponent), base),
  upper: (a: Code<'v128'>, exponent: Code<'v128'>, base: Code<'v128'>): Code<'v128'> =>
    doubles.subtract(spread.upper(a, exponent), base),
  add: vectors(0xf0),
  subtract: vectors(0xf1),
  multiply: vectors(0xf2),
  least: vectors(0xf4),
  most: vectors(0xf5),
  divide: vectors(0xf3),
  equal: vectors(0x47),
  atMost: vectors(0x4b),
  floor: one<'v128', 'v128'>(wide(0x75)),
  /** Whole parts, as doubles; and as integers, of two pairs. */
  whole: one<'v128', 'v128'>(wide(0x7a)),
  integers: (low: Code<'v128'>, high: Code<'v128'>): Code<'v128'> =>
    shuffle(bytesOf(0, 1, 4, 5))([...low, ...wide(0xfc)], [...high, ...wide(0xfc)]),
  /** The same as `lower` and `upper` for integers of either sign. */
  signedLower: one<'v128', 'v128'>(wide(0xfe)),
  signedUpper: (a: Code<'v128'>): Code<'v128'> => [...shuffle(bytesOf(2, 3, 2, 3))(a, a), ...wide(0xfe)],
  first: (a: Code<'v128'>): Code<'f64'> => [...a, ...wide(0x21), 0],
  second: (a: Code<'v128'>): Code<'f64'> => [...a, ...wide(0x21), 1],
}

/** Four at a time, as near as 24 bits come. */
export const singles = {
  of: one<'v128', 'v128'>(wide(0xfa)),
  multiply: vectors(0xe6),
  atMost: vectors(0x45),
}

/** Four integers of the low halves of two pairs of wide ones. */
export const lowHalves = even
/** The two lower integers of a comparison, and the two upper ones, each as wide as a double. */
export const lowerMask = one<'v128', 'v128'>(wide(0xc7))
export const upperMask = one<'v128', 'v128'>(wide(0xc8))
export const shiftWide = (a: Code<'v128'>, by: number): Code<'v128'> => [...a, ...i32.of(by), ...wide(0xcd)]

export const block = (...codes: Code<'none'>[]): Code<'none'> => codes.flat()
export const when = (is: Code<'i32'>, then: Code<'none'>): Code<'none'> => [...is, 0x04, 0x40, ...then, 0x0b]
/** Once, and again while it says so. */
export const repeat = (body: Code<'none'>, again: Code<'i32'>): Code<'none'> => [
  0x03,
  0x40,
  ...body,
  ...again,
  0x0d,
  0x00,
  0x0b,
]

export type Writer = { local: <K extends Kind>(kind: K) => Local<K> }
export type Routine = { name: string; params: number; body: number[]; returns: boolean }

type Own<P extends readonly string[]> = { [N in P[number]]: Local<'i32'> }

/** A function of integers, which may return one. */
export function define<const P extends readonly string[]>(
  name: string,
  params: P,
  write: (own: Own<P>, writer: Writer) => Code<'none'>,
  result?: (own: Own<P>) => Code<'i32'>,
): Routine {
  const locals: number[] = []
  const at = (index: number) => ({
    get: [0x20, ...unsigned(index)],
    set: (value: Code) => [...value, 0x21, ...unsigned(index)],
  })
  const local = <K extends Kind>(own: K): Local<K> => {
    locals.push(TYPES[own])
    return at(params.length + locals.length - 1)
  }
  // The names of the parameters are exactly the keys.
  const own = Object.fromEntries<Local<'i32'>>(params.map((param, index) => [param, at(index)])) as Own<P>
  const code = write(own, { local })
  const declared = vector(locals.map((type) => [1, type]))
  return {
    name,
    params: params.length,
    returns: result !== undefined,
    body: sized([...declared, ...code, ...(result?.(own) ?? []), 0x0b]),
  }
}

/** The name of the format, and its version. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** A module that works on the memory it is given. */
export function assemble(functions: Routine[]): Uint8Array<ArrayBuffer> {
  const section = (id: number, bytes: number[]) => [id, ...sized(bytes)]
  const types = functions.map(({ params, returns }) => [
    0x60,
    ...vector(Array.from({ length: params }, () => [TYPES.i32])),
    ...vector(returns ? [[TYPES.i32]] : []),
  ])
  const memory = [...text('own'), ...text('memory'), 0x02, 0x00, 0x01]
  return Uint8Array.from([
    ...HEADER,
    ...section(1, vector(types)),
    ...section(2, vector([memory])),
    ...section(3, vector(functions.map((_, at) => unsigned(at)))),
    ...section(7, vector(functions.map(({ name }, at) => [...text(name), 0x00, ...unsigned(at)]))),
    ...section(10, vector(functions.map(({ body }) => body))),
  ])
}
