import type { Endpoint } from '@voisol/contract/endpoint'
import { expect } from 'vitest'
import { buildValidInput } from './access-bodies.ts'
import { makeEndpointParams, type Owner, SECRET } from './access-makers.ts'
import { call, type TestServer } from './client.ts'
import { waitForJobs } from './jobs.ts'
import { clearWrittenRows, listWrittenTables } from './watched-rows.ts'

/** Objects of `owner` do not exist for `stranger`: nothing is returned, nothing is changed. */
export async function expectNotFoundForStranger(
  server: TestServer,
  e: Endpoint,
  owner: Owner,
  stranger: { token: string },
) {
  const params = await makeEndpointParams(server, e, owner)
  // Jobs started by creating it would look like an effect of the stranger's call.
  await waitForJobs(server)
  await clearWrittenRows(server)
  const { status, body, text } = await call(server, e, { params, ...buildValidInput(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await listWrittenTables(server)).toEqual([])
}
