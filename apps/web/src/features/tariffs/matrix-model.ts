import type { PriceCell, PriceMatrix } from '@voisol/contract/price-matrix'

export type MatrixColumn = { key: string; producer: string; class: string | null; at: number }

const arePricedAlike = (matrix: PriceMatrix, places: number[]) =>
  matrix.cells.every((row) => {
    const [first, ...others] = places.map((place) => row[place])
    return others.every((cell) => cell?.price === first?.price && cell?.rule === first?.rule)
  })

/** Hours that everybody pays alike are one column; producers too, where nothing tells them apart. */
export function mergeColumns(matrix: PriceMatrix): MatrixColumn[] {
  const places = matrix.columns.map((_, at) => at)
  if (places.length > 1 && arePricedAlike(matrix, places)) return [{ key: 'all', producer: '', class: null, at: 0 }]
  const byProducer = Map.groupBy(places, (at) => matrix.columns[at]?.producerId ?? '')
  return [...byProducer].flatMap(([id, own]) => {
    const column = (at: number, name: string | null): MatrixColumn => ({
      key: `${id} ${name}`,
      producer: matrix.columns[at]?.producer ?? '',
      class: name,
      at,
    })
    return arePricedAlike(matrix, own)
      ? [column(own[0] ?? 0, null)]
      : own.map((at) => column(at, matrix.columns[at]?.class ?? null))
  })
}

/** The producers above their columns, and over how many each stands; none where there is but one to name. */
export function buildProducerHeaders(
  columns: readonly MatrixColumn[],
): { producer: string; span: number; key: string }[] {
  const heads: { producer: string; span: number; key: string }[] = []
  for (const { producer, key } of columns) {
    const last = heads.at(-1)
    if (last?.producer === producer) last.span += 1
    else heads.push({ producer, span: 1, key })
  }
  return heads.length > 1 ? heads : []
}

/** How indexed prices came about, each computation once. */
export const collectComputations = (matrix: PriceMatrix): string[] => [
  ...new Set(
    matrix.cells
      .flat()
      .map(({ computation }: PriceCell) => computation)
      .filter(Boolean),
  ),
]
