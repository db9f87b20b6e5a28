import AxeBuilder from '@axe-core/playwright'
import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'

export const PASSWORD = 'soleil-partage-demo'
export const EMAILS = { admin: 'admin@demo.voisol.fr', client: 'client@demo.voisol.fr' }
export const WIDTHS = [390, 768, 1440]
export type Person = keyof typeof EMAILS

/** Console errors and failed scripts of the page, gathered from its first moment. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

export async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
}

/** A page of the site waits for its reader before its program runs: this one is there, and waits until it does. */
export async function openAwake(page: Page, path: string) {
  const answer = await page.goto(path)
  await page.mouse.move(2, 2)
  await page.mouse.move(4, 4)
  await page.locator('html[data-awake]').waitFor({ state: 'attached' })
  return answer
}

/** What the browser's own alert says next; it is closed at once, because the page stands still behind it. */
export const nextAlert = (page: Page) =>
  page.waitForEvent('dialog').then(async (alert) => {
    const words = alert.message()
    await alert.dismiss()
    return words
  })

/** Nothing may stick out of the window: a page that scrolls sideways is broken on a phone. */
export const expectNoOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)

type Fixtures = { signedIn: (who: Person) => Promise<void> }
/** Of the demo company: what the parameters of an address stand for. */
type Ids = { companyId: string; operationId: string; pdlId: string; projectId: string; taskId: string }
type Workers = { tokens: Record<Person, string>; ids: Ids }

/** A synchronisation of the demo: the first there is, or one that reads the perimeter. */
async function demoTask(api: APIRequestContext, token: string, operationId: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const [known] = (await (await api.get('/api/sync/tasks?size=1', { headers })).json()).items
  if (known) return known.id
  const [from, to] = [2, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  const made = await api.post('/api/sync/tasks', { headers, data: { kind: 'perimeter', operationId, from, to } })
  return (await made.json()).id
}

/** The demo's readings and runs are made after the start: a screen is looked at with its figures. */
async function demoIds(api: APIRequestContext, token: string): Promise<Ids> {
  const read = async (path: string) =>
    (await (await api.get(path, { headers: { authorization: `Bearer ${token}` } })).json()).items ?? []
  const month = new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 7)
  const filled = async () => {
    const rows: { status: string; allocated: number }[] = await read(
      `/api/energy/operations?from=${month}-01&to=${month}-28`,
    )
    return rows.filter(({ status, allocated }) => status === 'active' && allocated > 0).length
  }
  await expect.poll(filled, { timeout: 180_000, intervals: [1000] }).toBeGreaterThanOrEqual(3)
  const [operation] = await read('/api/acc-operations?status=active&sort=name')
  const [point] = await read(`/api/points?operationId=${operation.id}&direction=production`)
  const [project] = await read('/api/projects?status=study')
  const taskId = await demoTask(api, token, operation.id)
  return { companyId: '1', operationId: operation.id, pdlId: point.id, projectId: project.id, taskId }
}

export const test = base.extend<Fixtures, Workers>({
  /** One sign-in per worker and role; the tests of sign-in itself use the form. */
  tokens: [
    async ({ playwright }, use, info) => {
      const api = await playwright.request.newContext({ baseURL: info.project.use.baseURL ?? '' })
      const token = async (email: string) => {
        const answer = await api.post('/api/auth/login', { data: { email, password: PASSWORD } })
        return String((await answer.json()).token)
      }
      await use({ admin: await token(EMAILS.admin), client: await token(EMAILS.client) })
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  ids: [
    async ({ playwright, tokens }, use, info) => {
      const api = await playwright.request.newContext({ baseURL: info.project.use.baseURL ?? '' })
      await use(await demoIds(api, tokens.admin))
      await api.dispose()
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  signedIn: async ({ page, tokens }, use) => {
    await use(async (who) => {
      await page.addInitScript((token) => localStorage.setItem('token', token), tokens[who])
    })
  },
})
export { expect }

const idFor = (path: string, ids: Ids) =>
  path.startsWith('/projects') ? ids.projectId : path.startsWith('/enedis-api') ? ids.taskId : ids.operationId

/** An address of the table, with its parameters filled from the demo. */
export const addressOf = (path: string, ids: Ids) =>
  path
    .replace(':companyId', ids.companyId)
    .replace(':operationId', ids.operationId)
    .replace(':pdlId', ids.pdlId)
    .replace(':id', idFor(path, ids))
