import type { Endpoint } from '@voisol/contract/endpoint'
import { expect } from 'vitest'
import { buildValidInput } from './access-bodies.ts'
import { makeEndpointParams, type Owner, SECRET } from './access-makers.ts'
import { call, type TestServer } from './client.ts'
import { waitForJobs } from './jobs.ts'
import { clearWrittenRows, listWrittenTables } from './watched-rows.ts'

/** What belongs to `owner` is not there for `stranger`: nothing is told, nothing is changed. */
export async function expectNotFoundForStranger(
  server: TestServer,
  e: Endpoint,
  owner: Owner,
  stranger: { token: string },
) {
  const params = await makeEndpointParams(server, e, owner)
  // What making it set going would be taken for what the stranger did.
  await waitForJobs(server)
  await clearWrittenRows(server)
  const { status, body, text } = await call(server, e, { params, ...buildValidInput(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await listWrittenTables(server)).toEqual([])
}
