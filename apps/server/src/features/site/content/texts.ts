import { siteCompany } from '../../../core/site-company.ts'
import type { Deps } from '../../../deps.ts'
import { isHopeless, type Read, rememberedProse, tooTangled } from '../../../prose/remembered.ts'

export type Reader = Pick<Deps, 'db' | 'compute'>

const readBeside = async ({ db, compute }: Reader, texts: string[], patient: boolean): Promise<Read[]> =>
  compute('content.prose', texts, { companyId: await siteCompany(db), patient })

/** What is stored, as trees. Patient: it was read when it was saved, and is read once for all visitors who wait for it. */
export const readTexts = (ctx: Reader, texts: string[]): Promise<Read[]> =>
  rememberedProse(texts, (missing) => readBeside(ctx, missing, true))

/** What somebody has just typed: one that takes too long to read is refused at its field. */
export async function readTyped(ctx: Reader, text: string, path: string): Promise<Read> {
  const [read] = await rememberedProse([text], (missing) => readBeside(ctx, missing, false)).catch((error: unknown) => {
    throw isHopeless(error) ? tooTangled(path) : error
  })
  if (!read) throw tooTangled(path)
  return read
}
