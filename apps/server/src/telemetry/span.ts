import { randomBytes } from 'node:crypto'

/** Where a span stands: in which trace, and as which of its parts. */
export type Place = { traceId: string; spanId: string; sampled: boolean }
export type Kind = 'server' | 'client' | 'consumer'
export type Attributes = Record<string, string | number | boolean | undefined>

/** Ended; times are milliseconds since 1970, with their fractions. */
export type Span = {
  place: Place
  parentId?: string | undefined
  name: string
  kind: Kind
  from: number
  to: number
  attributes: Attributes
  links: Place[]
  failed: boolean
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** The same traces are kept by every process that asks for the same share of them. */
const isKept = (traceId: string, share: number) => Number.parseInt(traceId.slice(-8), 16) / 0x1_0000_0000 < share

export function newPlace(parent: Place | undefined, share: number): Place {
  const traceId = parent?.traceId ?? hex(16)
  return { traceId, spanId: hex(8), sampled: parent?.sampled ?? isKept(traceId, share) }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The header of W3C Trace Context; nothing where it is not one. */
export function readPlace(text: unknown): Place | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(text)) ?? []
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writePlace = ({ traceId, spanId, sampled }: Place) => `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
