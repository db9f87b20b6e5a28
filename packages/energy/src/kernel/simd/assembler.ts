/**
 * Writes WebAssembly: an expression is the bytes that leave its value on the stack, a statement those that leave
 * nothing. It covers only what the routines use; opcodes are those of the WebAssembly 2.0 core specification.
 */
type WasmType = 'i32' | 'f64' | 'v128'
declare const kind: unique symbol
export type WasmCode<K extends WasmType | 'none' = WasmType | 'none'> = readonly number[] & { readonly [kind]?: K }
export type WasmLocal<K extends WasmType> = { get: WasmCode<K>; set: (value: WasmCode<K>) => WasmCode<'none'> }

const TYPES: Record<WasmType, number> = { i32: 0x7f, f64: 0x7c, v128: 0x7b }

function encodeUnsigned(value: number): number[] {
  const low = value & 0x7f
  return value < 0x80 ? [low] : [low | 0x80, ...encodeUnsigned(value >>> 7)]
}

function encodeSigned(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return last ? [low] : [low | 0x80, ...encodeSigned(rest)]
}

const encodeVector = (items: readonly (readonly number[])[]) => [...encodeUnsigned(items.length), ...items.flat()]
const prefixSize = (bytes: readonly number[]) => [...encodeUnsigned(bytes.length), ...bytes]
const encodeText = (value: string) => prefixSize([...new TextEncoder().encode(value)])
const encodeSimdOpcode = (code: number) => [0xfd, ...encodeUnsigned(code)]

const unaryOperation =
  <A extends WasmType, R extends WasmType>(code: number[]) =>
  (a: WasmCode<A>): WasmCode<R> => [...a, ...code]
const binaryOperation =
  <A extends WasmType, B extends WasmType, R extends WasmType>(code: number[]) =>
  (a: WasmCode<A>, b: WasmCode<B>): WasmCode<R> => [...a, ...b, ...code]
const vectorOperation = (code: number) => binaryOperation<'v128', 'v128', 'v128'>(encodeSimdOpcode(code))
const encodeMemoryArgument = (offset: number) => [0, ...encodeUnsigned(offset)]

export const i32 = {
  of: (value: number): WasmCode<'i32'> => [0x41, ...encodeSigned(value)],
  add: binaryOperation<'i32', 'i32', 'i32'>([0x6a]),
  below: binaryOperation<'i32', 'i32', 'i32'>([0x49]),
  or: binaryOperation<'i32', 'i32', 'i32'>([0x72]),
  shift: (a: WasmCode<'i32'>, by: number): WasmCode<'i32'> => [...a, ...i32.of(by), 0x74],
  store: (at: WasmCode<'i32'>, value: WasmCode<'i32'>, offset = 0): WasmCode<'none'> => [
    ...at,
    ...value,
    0x36,
    ...encodeMemoryArgument(offset),
  ],
  load: (at: WasmCode<'i32'>, offset = 0): WasmCode<'i32'> => [...at, 0x28, ...encodeMemoryArgument(offset)],
}

export const f64 = {
  of: (value: number): WasmCode<'f64'> => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  add: binaryOperation<'f64', 'f64', 'f64'>([0xa0]),
  store: (at: WasmCode<'i32'>, value: WasmCode<'f64'>, offset = 0): WasmCode<'none'> => [
    ...at,
    ...value,
    0x39,
    ...encodeMemoryArgument(offset),
  ],
  load: (at: WasmCode<'i32'>, offset = 0): WasmCode<'f64'> => [...at, 0x2b, ...encodeMemoryArgument(offset)],
}

/** Four integers or two doubles at a time. A true comparison is all ones, which is -1. */
export const v128 = {
  load: (at: WasmCode<'i32'>, offset = 0): WasmCode<'v128'> => [
    ...at,
    ...encodeSimdOpcode(0x00),
    ...encodeMemoryArgument(offset),
  ],
  /** The same integer four times. */
  repeat: (at: WasmCode<'i32'>): WasmCode<'v128'> => [...at, ...encodeSimdOpcode(0x09), ...encodeMemoryArgument(0)],
  store: (at: WasmCode<'i32'>, value: WasmCode<'v128'>, offset = 0): WasmCode<'none'> => [
    ...at,
    ...value,
    ...encodeSimdOpcode(0x0b),
    ...encodeMemoryArgument(offset),
  ],
  zero: [...encodeSimdOpcode(0x0c), ...Array<number>(16).fill(0)] as WasmCode<'v128'>,
  and: vectorOperation(0x4e),
  andNot: vectorOperation(0x4f),
  or: vectorOperation(0x50),
  any: unaryOperation<'v128', 'i32'>(encodeSimdOpcode(0x53)),
  /** A bit for each of the four integers: whether it is negative, as a true comparison is. */
  bits: unaryOperation<'v128', 'i32'>(encodeSimdOpcode(0xa4)),
  equal: vectorOperation(0x37),
  greater: vectorOperation(0x3b),
  atLeast: vectorOperation(0x3f),
  add: vectorOperation(0xae),
  subtract: vectorOperation(0xb1),
  least: vectorOperation(0xb6),
  most: vectorOperation(0xb8),
  integers: (value: number): WasmCode<'v128'> => [...i32.of(value), ...encodeSimdOpcode(0x11)],
}

const shuffle =
  (lanes: number[]) =>
  (a: WasmCode<'v128'>, b: WasmCode<'v128'>): WasmCode<'v128'> => [...a, ...b, ...encodeSimdOpcode(0x0d), ...lanes]
const toByteLanes = (...integers: number[]) => integers.flatMap((at) => [0, 1, 2, 3].map((byte) => at * 4 + byte))

const takeEvenLanes = shuffle(toByteLanes(0, 2, 4, 6))
const interleave = { lower: shuffle(toByteLanes(0, 4, 1, 5)), upper: shuffle(toByteLanes(2, 6, 3, 7)) }

export const doubles = {
  repeat: unaryOperation<'f64', 'v128'>(encodeSimdOpcode(0x14)),
  /** The two lower integers as doubles, and the two upper ones; `exponent` is what `EXPONENT` says, `base` 2^52. */
  lower: (a: WasmCode<'v128'>, exponent: WasmCode<'v128'>, base: WasmCode<'v128'>): WasmCode<'v128'> =>
    doubles.subtract(interleave.lower(a, exponent), base),
  upper: (a: WasmCode<'v128'>, exponent: WasmCode<'v128'>, base: WasmCode<'v128'>): WasmCode<'v128'> =>
    doubles.subtract(interleave.upper(a, exponent), base),
  add: vectorOperation(0xf0),
  subtract: vectorOperation(0xf1),
  multiply: vectorOperation(0xf2),
  least: vectorOperation(0xf4),
  most: vectorOperation(0xf5),
  divide: vectorOperation(0xf3),
  equal: vectorOperation(0x47),
  atMost: vectorOperation(0x4b),
  floor: unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0x75)),
  /** Truncation, as doubles; and as integers, of two pairs. */
  whole: unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0x7a)),
  integers: (low: WasmCode<'v128'>, high: WasmCode<'v128'>): WasmCode<'v128'> =>
    shuffle(toByteLanes(0, 1, 4, 5))([...low, ...encodeSimdOpcode(0xfc)], [...high, ...encodeSimdOpcode(0xfc)]),
  /** The same as `lower` and `upper` for integers of either sign. */
  signedLower: unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0xfe)),
  signedUpper: (a: WasmCode<'v128'>): WasmCode<'v128'> => [
    ...shuffle(toByteLanes(2, 3, 2, 3))(a, a),
    ...encodeSimdOpcode(0xfe),
  ],
  first: (a: WasmCode<'v128'>): WasmCode<'f64'> => [...a, ...encodeSimdOpcode(0x21), 0],
  second: (a: WasmCode<'v128'>): WasmCode<'f64'> => [...a, ...encodeSimdOpcode(0x21), 1],
}

/** Four single-precision values at a time (24 bits of precision). */
export const singles = {
  of: unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0xfa)),
  multiply: vectorOperation(0xe6),
  atMost: vectorOperation(0x45),
}

/** Four integers from the low halves of the 64-bit integers of two vectors. */
export const lowHalves = takeEvenLanes
/** The two lower integers of a comparison, and the two upper ones, each extended to the width of a double. */
export const lowerMask = unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0xc7))
export const upperMask = unaryOperation<'v128', 'v128'>(encodeSimdOpcode(0xc8))
export const shiftWide = (a: WasmCode<'v128'>, by: number): WasmCode<'v128'> => [
  ...a,
  ...i32.of(by),
  ...encodeSimdOpcode(0xcd),
]

export const buildBlock = (...codes: WasmCode<'none'>[]): WasmCode<'none'> => codes.flat()
export const buildIf = (is: WasmCode<'i32'>, then: WasmCode<'none'>): WasmCode<'none'> => [
  ...is,
  0x04,
  0x40,
  ...then,
  0x0b,
]
/** Runs the body once, and again while the condition is true. */
export const buildLoop = (body: WasmCode<'none'>, again: WasmCode<'i32'>): WasmCode<'none'> => [
  0x03,
  0x40,
  ...body,
  ...again,
  0x0d,
  0x00,
  0x0b,
]

export type FunctionWriter = { local: <K extends WasmType>(kind: K) => WasmLocal<K> }
type WasmFunction = { name: string; params: number; body: number[]; returns: boolean }

type Own<P extends readonly string[]> = { [N in P[number]]: WasmLocal<'i32'> }

/** A function of integers, which may return one. */
export function defineFunction<const P extends readonly string[]>(
  name: string,
  params: P,
  write: (own: Own<P>, writer: FunctionWriter) => WasmCode<'none'>,
  result?: (own: Own<P>) => WasmCode<'i32'>,
): WasmFunction {
  const locals: number[] = []
  const at = (index: number) => ({
    get: [0x20, ...encodeUnsigned(index)],
    set: (value: WasmCode) => [...value, 0x21, ...encodeUnsigned(index)],
  })
  const local = <K extends WasmType>(own: K): WasmLocal<K> => {
    locals.push(TYPES[own])
    return at(params.length + locals.length - 1)
  }
  // The names of the parameters are exactly the keys.
  const own = Object.fromEntries<WasmLocal<'i32'>>(params.map((param, index) => [param, at(index)])) as Own<P>
  const code = write(own, { local })
  const declared = encodeVector(locals.map((type) => [1, type]))
  return {
    name,
    params: params.length,
    returns: result !== undefined,
    body: prefixSize([...declared, ...code, ...(result?.(own) ?? []), 0x0b]),
  }
}

/** The magic bytes of the format, and its version. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** A module that works on an imported memory. */
export function assembleModule(functions: WasmFunction[]): Uint8Array<ArrayBuffer> {
  const section = (id: number, bytes: number[]) => [id, ...prefixSize(bytes)]
  const types = functions.map(({ params, returns }) => [
    0x60,
    ...encodeVector(Array.from({ length: params }, () => [TYPES.i32])),
    ...encodeVector(returns ? [[TYPES.i32]] : []),
  ])
  const memory = [...encodeText('own'), ...encodeText('memory'), 0x02, 0x00, 0x01]
  return Uint8Array.from([
    ...HEADER,
    ...section(1, encodeVector(types)),
    ...section(2, encodeVector([memory])),
    ...section(3, encodeVector(functions.map((_, at) => encodeUnsigned(at)))),
    ...section(7, encodeVector(functions.map(({ name }, at) => [...encodeText(name), 0x00, ...encodeUnsigned(at)]))),
    ...section(10, encodeVector(functions.map(({ body }) => body))),
  ])
}
