import type { Lot } from '@voisol/contract/lots'

export type ParsedLots = { lots: Lot[]; faults: string[] }

/** Lots as they are pasted from a spreadsheet or typed: number, holder, shares, a lot on each line. */
export function parseLots(text: string): ParsedLots {
  const lots: Lot[] = []
  const faults: string[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const cells = line.split(/[\t;]/).map((cell) => cell.trim())
    const [number = '', holder = ''] = cells
    const shares = (cells[2] ?? '').replace(/[\s\u00a0\u202f]/g, '')
    if (at === 0 && !/\d/.test(shares) && /lot|num/i.test(number)) continue
    if (!/^\d{1,8}$/.test(shares))
      faults.push(
        `Ligne ${at + 1}\u00a0: trois colonnes sont attendues, le lot, le nom et les tantièmes, par exemple 12\u00a0; Mme\u00a0Morel\u00a0; 145.`,
      )
    else if (number === '') faults.push(`Ligne ${at + 1}\u00a0: le numéro du lot manque.`)
    else lots.push({ number, holder, shares: Number(shares) })
  }
  return { lots, faults }
}

export const formatLots = (lots: readonly Lot[]) =>
  lots.map(({ number, holder, shares }) => `${number}; ${holder}; ${shares}`).join('\n')
