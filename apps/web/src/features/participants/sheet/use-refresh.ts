import { useQueryClient } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'

/** The sheet may show an older state than the server's: opened again, a form starts from the present one. */
export function useRefreshOnError() {
  const client = useQueryClient()
  return (error: unknown) => {
    void client.invalidateQueries({ queryKey: [participants.get.path] })
    throw error
  }
}
