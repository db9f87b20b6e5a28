import { useQueryClient } from '@tanstack/react-query'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { useEffect } from 'react'
import { useList } from '../../../lib/queries.ts'
import { refreshReadings } from '../shown.ts'

const POLL_MS = 2000

/** The files, followed while one of them waits to be read; then what it brought is shown. */
export function useDistributorFileList() {
  const list = useList(distributorFiles.list)
  const client = useQueryClient()
  const { refetch } = list
  const waiting = list.items.some(({ status }) => status === 'waiting')
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(refetch, POLL_MS)
    return () => {
      clearInterval(timer)
      refreshReadings(client)
      void client.invalidateQueries({ queryKey: [distributorFiles.events.path] })
    }
  }, [waiting, refetch, client])
  return list
}
