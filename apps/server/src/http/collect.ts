import type { Readable } from 'node:stream'
import { AppError } from './errors.ts'

const INITIAL_BUFFER_BYTES = 1 << 20

/** Reads a body into place as it arrives: concatenating a hundred megabytes at the end would block everybody. */
export async function readBody(payload: Readable, announced: number | undefined, most: number): Promise<Buffer> {
  if (announced !== undefined && announced > most) throw new AppError('too-large')
  let into = Buffer.allocUnsafeSlow(announced ?? Math.min(INITIAL_BUFFER_BYTES, most))
  let length = 0
  for await (const piece of payload as AsyncIterable<Buffer>) {
    if (length + piece.length > most) throw new AppError('too-large')
    if (length + piece.length > into.length)
      into = growBuffer(into, length, Math.min(most, 2 * (length + piece.length)))
    into.set(piece, length)
    length += piece.length
  }
  if (announced !== undefined && length !== announced) throw new AppError('malformed')
  return into.subarray(0, length)
}

function growBuffer(from: Buffer, length: number, size: number): Buffer<ArrayBuffer> {
  const into = Buffer.allocUnsafeSlow(size)
  into.set(from.subarray(0, length))
  return into
}
