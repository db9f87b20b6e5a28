import { reportSchedules, reports, reportTemplates } from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'

type ReportMakerTools = {
  file: (server: TestServer, companyId: number) => Promise<string>
  operationOf: (server: TestServer, owner: Owner) => Promise<string>
  secret: string
}

/** Reports of an operation, their templates and their schedules. */
export function reportMakers({ file, operationOf, secret }: ReportMakerTools): [RegExp, ParamsMaker][] {
  const report: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const content = {
      title: secret,
      subject: { kind: 'operation' as const, name: secret },
      span: 'month' as const,
      period: 'mars 2026',
      brand: { name: secret, colour: '#1e3a8a', contact: '' },
      blocks: [],
      notes: [],
    }
    const about = { preset: 'operation-month', subject: content.subject.kind, span: content.span, period: '2026-03' }
    const place = { operationId: await operationOf(server, owner), fileId: await file(server, companyId) }
    const [row] = await server.db
      .insert(reports)
      .values({ companyId, ...about, ...place, number: 1, content, rights: [], createdBy: secret })
      .returning()
    return { id: row?.id }
  }
  const template: ParamsMaker = async ({ db }, { companyId }) => {
    const name = `${secret} ${crypto.randomUUID()}`
    const blocks = [{ kind: 'figure' as const, source: 'produced' as const }]
    const [row] = await db
      .insert(reportTemplates)
      .values({ companyId, preset: 'operation-month', name, blocks })
      .returning()
    return { id: row?.id }
  }
  const schedule: ParamsMaker = async (server, owner) => {
    const { companyId, id: makerId } = owner
    const when = { day: 3, nextOn: '2030-01-03', recipientIds: [makerId], makerId, createdBy: secret }
    const operationId = await operationOf(server, owner)
    const [row] = await server.db
      .insert(reportSchedules)
      .values({ companyId, preset: 'operation-month', operationId, ...when })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/reports\/templates\/:id/, template],
    [/^\/api\/reports\/schedules\/:id/, schedule],
    [/^\/api\/reports\/:id/, report],
  ]
}
