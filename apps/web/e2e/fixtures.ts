import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
  type WorkerInfo,
} from '@playwright/test'
import axe from 'axe-core'

export const DEMO_PASSWORD = 'soleil-partage-demo'
export const DEMO_EMAILS = { admin: 'admin@demo.voisol.fr', client: 'client@demo.voisol.fr' }
export const WIDTHS = [390, 768, 1440]
const DESKTOP_SIZE = { width: 1440, height: 900 }
export type DemoUser = keyof typeof DEMO_EMAILS

/** Console errors and failed scripts of the page, gathered from its first moment. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

const ACCESSIBILITY_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type AccessibilityOptions = { without?: string[] }

/** A colour is the same at every width, and to compare colours takes longer than all other rules: one width is enough. */
export const getSkippedRules = (width: number) => (width === DESKTOP_SIZE.width ? [] : ['color-contrast'])

/** Into a document that has it, axe is not sent again: to transfer and compile it costs as much as to run it. */
async function injectAxe(page: Page) {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
}

/** Every page is held to the rules of WCAG and to good practice: its headings, its landmarks. */
export async function expectAccessible(page: Page, { without = [] }: AccessibilityOptions = {}) {
  await injectAxe(page)
  const violations = await page.evaluate(
    async ({ rules, without }) => {
      const { run }: typeof axe = Reflect.get(window, 'axe')
      // A tip repeats what its control says: it stands beside the landmarks, and its control names it.
      const found = await run(
        { exclude: ['#tip'] },
        {
          runOnly: rules,
          resultTypes: ['violations'],
          rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
        },
      )
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    { rules: ACCESSIBILITY_RULES, without },
  )
  expect(violations).toEqual([])
}

/** A page of the site waits for its reader before its program runs: this one is there, and waits until it does. */
export async function openInteractive(page: Page, path: string) {
  const answer = await page.goto(path)
  await page.mouse.move(2, 2)
  await page.mouse.move(4, 4)
  await page.locator('html[data-awake]').waitFor({ state: 'attached' })
  return answer
}

/** As a link would: the page stays, and the router hears of the new address. */
export const navigateInPage = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

/** What the browser's own alert says next; it is closed at once, because the page stands still behind it. */
export const waitForAlert = (page: Page) =>
  page.waitForEvent('dialog').then(async (alert) => {
    const words = alert.message()
    await alert.dismiss()
    return words
  })

/** By itself the browser's driver would soon look only once a second. */
const POLL_OPTIONS = { intervals: [50] }

/** Nothing may stick out of the window: a page that scrolls sideways is broken on a phone. Drawings follow the width. */
export const expectNoOverflow = (page: Page) =>
  expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      POLL_OPTIONS,
    )
    .toBeLessThanOrEqual(0)

/** A list is read whole: no column is cut where there is room for all, nothing scrolls inside the page from top to bottom, and on a telephone nothing is wider than a card. */
export const expectTablesNotCut = (page: Page, width: number) =>
  expect
    .poll(
      () =>
        page.evaluate((wide) => {
          const cut = (one: Element) =>
            one.scrollHeight > one.clientHeight + 1 || (wide && one.scrollWidth > one.clientWidth + 1)
          return [...document.querySelectorAll('main [data-table]')]
            .filter(cut)
            .map((one) => one.getAttribute('data-table'))
        }, width !== 768),
      POLL_OPTIONS,
    )
    .toEqual([])

/** Nothing lies over what one reads: a bar or a button that stays in its place belongs to the shell's head. */
export const listFixedElements = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *, main ~ *')]
      .filter((one) => getComputedStyle(one).position === 'fixed' && one.getClientRects().length > 0)
      .map((one) => one.textContent?.trim().slice(0, 40) ?? ''),
  )

type PendingRequests = { count: () => number; whenNone: () => Promise<void> }
const pendingRequests = new WeakMap<Page, PendingRequests>()

/** Follows what the page has asked of the server and not yet received. */
export function trackRequests(page: Page) {
  const pending = new Set<Request>()
  let waiting: (() => void)[] = []
  const remove = (request: Request) => {
    pending.delete(request)
    if (pending.size) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  page.on('request', (request) => /\/(api|assets)\//.test(request.url()) && pending.add(request))
  page.on('requestfinished', remove)
  page.on('requestfailed', remove)
  pendingRequests.set(page, {
    count: () => pending.size,
    whenNone: async () => {
      if (pending.size) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  })
}

/** What stands for something that is still on its way: data, the program, or the part of it that knows the screen. */
const PLACEHOLDERS = '.animate-pulse, [aria-busy=true], #root:empty, [role=status]:has(.animate-spin)'

/**
 * All that was asked for has come and stands in its place, at two looks in a row: one answer may lead to another call. The
 * page looks by itself, since asking it from here costs more than what it draws. A screen that shows placeholders keeps them.
 */
export async function waitUntilIdle(page: Page, showsPlaceholders = false) {
  const requests = pendingRequests.get(page)
  do {
    await requests?.whenNone()
    await page.waitForFunction(
      (look) => {
        look.quiet = look.placeholders && document.querySelector(look.placeholders) ? 0 : look.quiet + 1
        return look.quiet === 2
      },
      { placeholders: showsPlaceholders ? '' : PLACEHOLDERS, quiet: 0 },
      { polling: 50 },
    )
  } while (requests?.count())
}

type Fixtures = { signedIn: (who: DemoUser) => Promise<void> }
/** Of the demo company: what the parameters of an address stand for. */
type DemoIds = {
  companyId: string
  operationId: string
  pdlId: string
  projectId: string
  taskId: string
  invoiceId: string
  /** One of the client's own. */
  ownInvoiceId: string
}
type WorkerFixtures = {
  tokens: Record<DemoUser, string>
  ids: DemoIds
  windowOf: (who: DemoUser | 'nobody') => Promise<Page>
}

async function loadDemoIds(api: APIRequestContext, tokens: Record<DemoUser, string>): Promise<DemoIds> {
  const readAs = async (token: string, path: string) =>
    (await (await api.get(path, { headers: { authorization: `Bearer ${token}` } })).json()).items ?? []
  const read = (path: string) => readAs(tokens.admin, path)
  const [operation] = await read('/api/acc-operations?status=active&sort=name')
  const [point] = await read(`/api/points?operationId=${operation.id}&direction=production`)
  const [project] = await read('/api/projects?status=study')
  const [task] = await read('/api/sync/tasks?size=1')
  const [invoice] = await read(`/api/invoices?size=1&operationId=${operation.id}`)
  const [own] = await readAs(tokens.client, '/api/invoices?size=1')
  return {
    companyId: '1',
    operationId: operation.id,
    pdlId: point.id,
    projectId: project.id,
    taskId: task.id,
    invoiceId: invoice?.id ?? operation.id,
    ownInvoiceId: own?.id ?? operation.id,
  }
}

type Use = NonNullable<WorkerInfo['project']['use']>

const lastingContexts = new WeakSet<BrowserContext>()
/** Whether windows of it are kept for the tests to come. */
export const isLasting = (context: BrowserContext) => lastingContexts.has(context)

/** A window that outlives a test, for whoever has that token. */
export async function openWindow(browser: Browser, use: Use, token?: string) {
  const { baseURL, locale, timezoneId, serviceWorkers, contextOptions } = use
  const context = await browser.newContext({
    ...contextOptions,
    ...(serviceWorkers && { serviceWorkers }),
    ...(baseURL && { baseURL }),
    ...(locale && { locale }),
    ...(timezoneId && { timezoneId }),
  })
  lastingContexts.add(context)
  const page = await context.newPage()
  if (token) await page.addInitScript((value) => localStorage.setItem('token', value), token)
  return page
}

/** As a new one would be, but for what it keeps: nobody listens any more, and it is as wide as the others. */
export async function resetPage(page: Page) {
  for (const event of ['console', 'pageerror', 'request', 'response', 'requestfinished', 'requestfailed'] as const)
    page.removeAllListeners(event)
  await page.setViewportSize(DESKTOP_SIZE)
  trackRequests(page)
  return page
}

/** A token ends an hour after its sign-in, and a whole run may take longer. */
const SIGN_IN_AGAIN_MS = 20 * 60_000
export const isOldSignIn = (at: number) => Date.now() - at > SIGN_IN_AGAIN_MS

export const test = base.extend<Fixtures, WorkerFixtures>({
  page: async ({ page }, use) => {
    trackRequests(page)
    await use(page)
  },
  /** One sign-in per worker and role; the tests of sign-in itself use the form. */
  tokens: [
    async ({ playwright }, use, info) => {
      const api = await playwright.request.newContext({ baseURL: info.project.use.baseURL ?? '' })
      const token = async (email: string) => {
        const answer = await api.post('/api/auth/login', { data: { email, password: DEMO_PASSWORD } })
        return String((await answer.json()).token)
      }
      const signIn = async () => ({ admin: await token(DEMO_EMAILS.admin), client: await token(DEMO_EMAILS.client) })
      const tokens = await signIn()
      const replacement = setInterval(async () => Object.assign(tokens, await signIn()), SIGN_IN_AGAIN_MS)
      await use(tokens)
      clearInterval(replacement)
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  ids: [
    async ({ playwright, tokens }, use, info) => {
      const api = await playwright.request.newContext({ baseURL: info.project.use.baseURL ?? '' })
      await use(await loadDemoIds(api, tokens))
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  /** One window per worker and role that stays open: what it has loaded it need not load and compile again. */
  windowOf: [
    async ({ browser, tokens }, use, info) => {
      const open = new Map<DemoUser | 'nobody', { page: Page; token: string | undefined }>()
      await use(async (who) => {
        const known = open.get(who)
        const token = who === 'nobody' ? undefined : tokens[who]
        if (known && !known.page.isClosed() && known.token === token) return resetPage(known.page)
        await known?.page.context().close()
        const page = await openWindow(browser, info.project.use, token)
        open.set(who, { page, token })
        return resetPage(page)
      })
      for (const { page } of open.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
  signedIn: async ({ page, tokens }, use) => {
    await use(async (who) => {
      await page.addInitScript((token) => localStorage.setItem('token', token), tokens[who])
    })
  },
})
export { expect }

function getIdForPath(path: string, ids: DemoIds) {
  if (path.includes('/invoice/')) return ids.invoiceId
  return path.startsWith('/projects') ? ids.projectId : path.startsWith('/enedis-api') ? ids.taskId : ids.operationId
}

/** An address of the table, with its parameters filled from the demo. */
export const fillAddress = (path: string, ids: DemoIds) =>
  path
    .replace(':companyId', ids.companyId)
    .replace(':operationId', ids.operationId)
    .replace(':pdlId', ids.pdlId)
    .replace(':invoiceId', path.startsWith('/client-portal') ? ids.ownInvoiceId : ids.invoiceId)
    .replace(':id', getIdForPath(path, ids))
