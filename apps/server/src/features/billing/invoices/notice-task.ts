import { buildDueNoticePdf, type DueNoticeData } from '@voisol/documents/due-notice-pdf'
import type { TaskResult } from '../../../workers/task.ts'

export default async function renderDueNoticePdf(notice: DueNoticeData) {
  const value = new Uint8Array(await buildDueNoticePdf(notice))
  return { value, moved: [value.buffer] } satisfies TaskResult<Uint8Array>
}
