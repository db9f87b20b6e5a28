import { endpoints } from '@voisol/contract'
import { PORTAL_BLOCKS } from '@voisol/contract/access'
import type { Endpoint } from '@voisol/contract/endpoint'
import { type PortalBlock, portalManagement } from '@voisol/contract/portal-management'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
type Key = PortalBlock['key']

/** The person's own data in these blocks also appears elsewhere in the portal: hiding them only changes the layout. */
const ALSO_ELSEWHERE: Partial<Record<Key, string>> = {
  chart: 'one’s own consumption has its screen',
  invoice: 'one’s own invoices have theirs',
  messages: 'what was written to somebody stays theirs to read',
}
const listEndpointsOfBlock = (key: Key): Endpoint[] => endpoints.filter((e) => e.block === key)

test('each block has endpoints of its own, or data shown on another screen', () => {
  for (const key of PORTAL_BLOCKS)
    expect([key, listEndpointsOfBlock(key).length > 0]).toEqual([key, !(key in ALSO_ELSEWHERE)])
})

test('a hidden block is refused in the portal, and everything else works, as does the back office', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const neighbour = await makeUser(server.db, { isAdmin: false })
  const calls = PORTAL_BLOCKS.flatMap((key) => listEndpointsOfBlock(key).map((e) => ({ key, e })))
  const answered = async (who: { token: string }) =>
    Promise.all(calls.map(async ({ e }) => (await call(server, e, {}, who)).status))
  const office = await answered(admin)
  expect(await answered(client)).toEqual(calls.map(() => 200))
  let version = 0
  for (const hidden of PORTAL_BLOCKS) {
    const blocks = PORTAL_BLOCKS.map((key) => ({ key, shown: key !== hidden }))
    const body = { blocks, comparison: true, welcome: '', version }
    version = (await call(server, portalManagement.saveSettings, { body }, admin)).body.version
    expect(await answered(client), hidden).toEqual(calls.map(({ key }) => (key === hidden ? 404 : 200)))
    expect(await answered(admin)).toEqual(office)
    expect(await answered(neighbour)).toEqual(calls.map(() => 200))
  }
})
