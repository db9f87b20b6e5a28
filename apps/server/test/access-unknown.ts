import type { Endpoint } from '@voisol/contract/endpoint'
import { expect } from 'vitest'
import { restOf } from './access-bodies.ts'
import { type Owner, paramsFor, SECRET } from './access-makers.ts'
import { call, type Server } from './client.ts'
import { jobsEnd } from './jobs.ts'
import { forgetWritten, written } from './watched-rows.ts'

/** What belongs to `owner` is not there for `stranger`: nothing is told, nothing is changed. */
export async function expectUnknown(server: Server, e: Endpoint, owner: Owner, stranger: { token: string }) {
  const params = await paramsFor(server, e, owner)
  // What making it set going would be taken for what the stranger did.
  await jobsEnd(server)
  await forgetWritten(server)
  const { status, body, text } = await call(server, e, { params, ...restOf(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await written(server)).toEqual([])
}
