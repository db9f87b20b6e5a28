import { useQueries } from '@tanstack/react-query'
import { enedis, type SeriesType } from '@voisol/contract/enedis'
import { useMemo } from 'react'
import { query } from '../../../lib/queries.ts'
import { buildAgreementCurve } from './model.ts'

export type SeriesRequest = {
  acc: string
  prm: string | undefined
  from: string
  to: string
  through: { credentialId?: string }
}

/** One call per type; what came is drawn while the rest is on its way. */
export function useAgreementSeries(
  { acc, prm, from, to, through }: SeriesRequest,
  types: SeriesType[],
  enabled: boolean,
) {
  const results = useQueries({
    queries: types.map((type) => ({
      ...query(enedis.series, { params: { acc }, query: { ...through, from, to, type, ...(prm && { prm }) } }),
      enabled,
    })),
    combine: (all) => ({
      answers: all.flatMap(({ data }, at) => (data ? [{ type: types[at] ?? 'cons', ...data }] : [])),
      waiting: all.some(({ isLoading }) => isLoading),
      error: all.find((one) => one.error)?.error ?? null,
      retry: () => Promise.all(all.filter((one) => one.error).map((one) => one.refetch())),
    }),
  })
  const curveData = useMemo(
    () => buildAgreementCurve(results.answers.flatMap(({ series }) => series)),
    [results.answers],
  )
  return { ...results, drawn: curveData }
}
export type SeriesAnswers = ReturnType<typeof useAgreementSeries>['answers']
