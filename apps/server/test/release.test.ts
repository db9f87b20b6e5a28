import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../src/version.ts'

/** `## [2.2.0] — 2026-11-19`; unreleased changes are above it, under a heading of their own. */
const HEADING = /^## \[(\d+\.\d+\.\d+)\]/m

test('the first release of the CHANGELOG has the version of the program', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  expect(HEADING.exec(changelog)?.[1]).toBe(VERSION)
})
