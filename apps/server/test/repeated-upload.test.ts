import { randomUUID } from 'node:crypto'
import { participants } from '@voisol/contract/participants'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { makeOperation } from './factories-energy.ts'
import { useServer } from './server.ts'

const server = useServer()

test('an upload whose transaction is the victim of a deadlock is read again and stored once', async () => {
  const user = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  // A sequence is not rolled back: only the first insert is refused.
  await server.asOwner(`
    create sequence deadlock_tries;
    grant usage on sequence deadlock_tries to public;
    create function deadlock_once() returns trigger language plpgsql as $$
    begin
      if nextval('deadlock_tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger deadlock_once before insert on participants for each row execute function deadlock_once()`)
  const lines = Array.from({ length: 50 }, (_, n) => `Voisin ${n};${27_600_000_000_000 + n};Consommateur;07/03/2026`)
  const upload = Buffer.from(['Organisation;PRM;Rôle;Date d’entrée', ...lines].join('\n'))
  const query = { name: 'voisins.csv', dryRun: 'false', operationId }
  const headers = { 'idempotency-key': randomUUID(), 'content-length': String(upload.length) }
  const send = () => call(server, participants.import, { query, upload }, { token: user.token, headers })
  const first = await send()
  expect([first.status, first.body.created]).toEqual([200, 50])
  // A retry is identified by the body, which the second try must also have read.
  expect((await send()).body).toEqual(first.body)
  const { rows } = await server.db.execute<{ n: number }>(
    sql`select count(*)::int as n from participants where company_id = ${user.companyId}`,
  )
  expect(rows[0]?.n).toBe(50)
})
