import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, test } from './people.ts'

type TestFile = { name: string; text: string }
const toFilePayload = ({ name, text }: TestFile) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** How somebody works a page. Typing and the choice of a file cost no click; all that is pressed does, with a pointer. */
export type InputDriver = {
  press: (target: Locator) => Promise<void>
  write: (target: Locator, text: string) => Promise<void>
  give: (target: Locator, file: TestFile) => Promise<void>
}

/** Presses of a pointer, as the pages themselves saw them: no helper can forget one. */
export async function countClicks(context: BrowserContext, clicks: { count: number }) {
  await context.exposeBinding('pointerPressed', () => {
    clicks.count += 1
  })
  await context.addInitScript(() => {
    addEventListener('pointerdown', () => Reflect.get(window, 'pointerPressed')(), true)
  })
}

/** What a journey cost, in the report of the run and in its output. */
export function reportClicks(what: string, { count }: { count: number }) {
  test.info().annotations.push({ type: 'clics', description: `${count}` })
  process.stdout.write(`${what}: ${count} clics\n`)
}

export const pointerDriver: InputDriver = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  give: (target, file) => target.setInputFiles(toFilePayload(file)),
}

/**
 * How many presses of Tab lie between what has the focus and the target, backwards below zero. An estimate, taken
 * once at a run: a group of radios is one stop. What is left is walked one by one.
 */
const countTabStops = (target: Locator) =>
  target.evaluate((one) => {
    if (one === document.activeElement) return 0
    const stops = [
      ...document.querySelectorAll<HTMLElement | SVGElement>(
        'a[href], button, input, select, textarea, summary, [tabindex]',
      ),
    ].filter((at) => at === one || (at.tabIndex >= 0 && !at.matches(':disabled') && at.checkVisibility()))
    const at = document.activeElement ?? document.body
    const isBehind = !!(at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING)
    const passed = stops.filter((stop) => !!(at.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING))
    const to = stops.indexOf(one)
    return isBehind ? Math.min(-1, to - passed.length) : Math.max(1, to - passed.length)
  })

/** What one goes to by arrows inside its group; all else by Tab. */
const ARROW_KEYS_BY_ROLE: Record<string, string> = { menuitem: 'ArrowDown', tab: 'ArrowRight', option: 'ArrowDown' }

async function tabTo(page: Page, target: Locator) {
  for (let looks = 0; looks < 80; looks += 1) {
    const way = await countTabStops(target)
    if (way === 0) return
    const steps = looks === 0 ? Math.abs(way) : 1
    for (let step = 0; step < steps; step += 1) await page.keyboard.press(way > 0 ? 'Tab' : 'Shift+Tab')
  }
  throw new Error(`Not reached with the keyboard: ${target}`)
}

/** One after the other, inside a menu or a row of tabs. */
async function moveInGroup(page: Page, target: Locator, arrow: string) {
  const group = target.locator('xpath=ancestor::*[@role="menu" or @role="tablist" or @role="listbox"][1]')
  const isInside = () => group.evaluate((one) => one.contains(document.activeElement))
  const isThere = () => target.evaluate((one) => one === document.activeElement)
  for (let steps = 0; steps < 60 && !(await isThere()); steps += 1)
    await page.keyboard.press((await isInside()) ? arrow : 'Tab')
}

/** Whoever works without a pointer sees where they are: on the thing, or on the label that stands for it. */
const expectFocusRing = (target: Locator) =>
  expect
    .poll(() =>
      target.evaluate((one) => {
        const ringed = (of: Element | null) =>
          !!of && getComputedStyle(of).outlineStyle !== 'none' && parseFloat(getComputedStyle(of).outlineWidth) >= 1
        return (
          one.matches(':focus-visible') &&
          (ringed(one) || ringed(one.nextElementSibling) || ringed(one.closest('label')) || ringed(one.parentElement))
        )
      }),
    )
    .toBe(true)

async function focusByKeyboard(target: Locator) {
  const page = target.page()
  await target.waitFor({ state: 'attached' })
  const arrow = ARROW_KEYS_BY_ROLE[(await target.getAttribute('role')) ?? '']
  await (arrow ? moveInGroup(page, target, arrow) : tabTo(page, target))
  await expectFocusRing(target)
}

/** By Tab, arrows, Enter and the space bar alone. */
export const keyboardDriver: InputDriver = {
  press: async (target) => {
    await expect(target).toBeEnabled()
    await focusByKeyboard(target)
    const type = await target.getAttribute('type')
    await target.page().keyboard.press(type === 'checkbox' || type === 'radio' ? 'Space' : 'Enter')
  },
  write: async (target, text) => {
    await focusByKeyboard(target)
    await target.page().keyboard.press('Control+a')
    await target.page().keyboard.type(text)
  },
  give: async (target, file) => {
    await focusByKeyboard(target)
    const [chooser] = await Promise.all([
      target.page().waitForEvent('filechooser'),
      target.page().keyboard.press('Space'),
    ])
    await chooser.setFiles(toFilePayload(file))
  },
}
