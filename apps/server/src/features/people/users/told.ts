import type { User } from '@voisol/contract/users'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

type Member = Pick<User, 'id' | 'status' | 'role'>

/** Whoever watches over access hears of it, whoever changed it: a person, a key, a directory or a command. */
export const recordMemberChange = (tx: Db, companyId: number, { id, status, role }: Member) =>
  recordEvent(tx, { companyId, name: 'member.changed', object: id, data: { userId: id, status, role } })
