import type { Answer } from '../../../compute/task.ts'
import { type DueNotice, dueNoticePdf } from '../../../papers/due-notice-pdf.ts'

export default async function draw(notice: DueNotice) {
  const value = new Uint8Array(await dueNoticePdf(notice))
  return { value, moved: [value.buffer] } satisfies Answer<Uint8Array>
}
