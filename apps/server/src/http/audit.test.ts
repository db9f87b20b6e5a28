import { expect, test } from 'vitest'
import { createSecrets } from '../secrets.ts'
import { type AuditRecord, signAuditLink } from './audit.ts'

const secrets = createSecrets(Buffer.alloc(32, 7))
const before = Buffer.alloc(32, 19)
const at = new Date('2026-03-17T07:41:23.059Z')
const record: AuditRecord = {
  companyId: 37,
  userId: null,
  actor: 'camille@exemple.fr',
  action: 'POST /api/users',
  label: 'Inviter un utilisateur',
  target: 'Élodie',
  outcome: 'done',
  detail: { z: 3, a: { nested: [1, 'é', null] } },
  requestId: 'r1',
  ip: '127.0.0.1',
}
const hex = (...[previous, seq, time, what]: [Buffer, number, Date, AuditRecord]) =>
  signAuditLink(secrets, previous, seq, time, what).toString('hex')

test('a link signs the previous one, its position, its time and the record', () => {
  const hashes = [
    hex(before, 12, at, record),
    hex(Buffer.alloc(32, 20), 12, at, record),
    hex(before, 13, at, record),
    hex(before, 12, new Date(at.getTime() + 1), record),
    hex(before, 12, at, { ...record, target: 'Elodie' }),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('signatures of an earlier version stay valid, whatever the order of JSON members', () => {
  const detail = { a: { nested: [1, 'é', null] }, z: 3 }
  expect(hex(before, 12, at, { ...record, detail })).toBe(
    'b3acc45f8d5f98a06a49b2720916529058243345999fe4d18d60281c0a2b54f5',
  )
})
