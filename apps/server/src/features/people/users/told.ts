import type { User } from '@voisol/contract/users'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

type Member = Pick<User, 'id' | 'status' | 'role'>

/** Records an event for every change of access, whether by a user, an API key, SCIM or a command. */
export const recordMemberChange = (tx: Db, companyId: number, { id, status, role }: Member) =>
  recordEvent(tx, { companyId, name: 'member.changed', object: id, data: { userId: id, status, role } })
