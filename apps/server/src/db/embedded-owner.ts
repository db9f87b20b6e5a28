import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { startOf } from './embedded-process.ts'

/** Which Node process stops PostgreSQL when it leaves; the token tells apart two launchers of one process. */
type Owner = { pid: number; startedAt: string | null; token: string }

export const newOwner = (): Owner => ({ pid: process.pid, startedAt: startOf(process.pid), token: randomUUID() })

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

export const isOwner = (file: string, me: Owner) => readOwner(file)?.token === me.token

export function hasLivingOwner(file: string) {
  const owner = readOwner(file)
  const startedAt = owner && startOf(owner.pid)
  return startedAt !== null && startedAt === owner?.startedAt
}

export async function takeOwnership(file: string, me: Owner) {
  await writeFile(`${file}.${me.token}`, JSON.stringify(me))
  await rename(`${file}.${me.token}`, file)
}
