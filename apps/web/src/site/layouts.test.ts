import { expect, test } from 'vitest'
import { type LaidOut, layouts } from './layouts.ts'
import { footerColumns, headerEntries } from './menu.ts'

/** Anchors lead into a page that is in the menu already, and what is not made of blocks looks like itself. */
const layoutsOf = (links: { href: string }[]) =>
  links.map(({ href }) => href).filter((href): href is LaidOut => href in layouts)

const neighbours = (paths: LaidOut[]) =>
  paths.slice(1).flatMap((path, index) => {
    const before = paths[index]
    return before && layouts[before] === layouts[path] ? [`${before} ${path}: ${layouts[path]}`] : []
  })

test('two pages that stand side by side in a menu never look alike', () => {
  const rows = [
    headerEntries(),
    ...headerEntries().map(({ href, children }) => [{ href }, ...children]),
    ...footerColumns().map(({ links }) => links),
  ]
  expect(rows.map(layoutsOf).flatMap(neighbours)).toEqual([])
})

test('each of the three layouts is at work', () => {
  const used = Object.values(layouts)
  for (const layout of ['story', 'tour', 'reference'] as const)
    expect(used.filter((one) => one === layout).length, layout).toBeGreaterThanOrEqual(6)
})
