import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PRIVATE_FOLDER } from '../private-files.ts'
import { Stored } from './schemas.ts'

const SOON_MS = 200

export type Kept<S> = {
  state: S
  /** What was asked for is kept before it is answered. */
  save(): void
  /** What only counts may wait a little. */
  saveSoon(): void
  reset(): void
}

export type Store = Kept<Stored>

export const openStore = (file: string | undefined): Store => openKept(file, (held) => Stored.parse(held))

/** One JSON file, replaced whole: a stop in the middle of it leaves the one before. */
export function openKept<S>(file: string | undefined, parse: (held: unknown) => S): Kept<S> {
  const read = () => {
    if (!file || !existsSync(file)) return parse({})
    try {
      return parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      // A sandbox that cannot start would be worth less than what it remembers.
      console.error(`${file} is set aside:`, error)
      renameSync(file, `${file}.unreadable`)
      return parse({})
    }
  }
  let timer: NodeJS.Timeout | undefined
  const store: Kept<S> = {
    state: read(),
    save() {
      clearTimeout(timer)
      timer = undefined
      if (!file) return
      mkdirSync(dirname(file), PRIVATE_FOLDER)
      const next = `${file}.${process.pid}.tmp`
      writeFileSync(next, JSON.stringify(store.state), { mode: 0o600 })
      renameSync(next, file)
    },
    saveSoon() {
      if (file) timer ??= setTimeout(store.save, SOON_MS).unref()
    },
    reset() {
      store.state = parse({})
      store.save()
    },
  }
  return store
}
