import { useQuery } from '@tanstack/react-query'
import { reports } from '@voisol/contract/reports'
import { useEffect, useState } from 'react'
import { fetchFile } from '../../lib/call.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export type Asked = { template: string; subjectId: string; period: string }

/** An address of the very bytes, for as long as they are shown. */
function useAddress(file: Blob | undefined): string {
  const [address, setAddress] = useState('')
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return address
}

/** The paper itself, as it would be kept. */
export default function Preview({ asked }: { asked: Asked }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [reports.preview.path, asked],
    queryFn: () => fetchFile(reports.preview, { query: asked }),
    staleTime: 0,
    gcTime: 0,
  })
  const address = useAddress(data)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data || !address || isFetching)
    return (
      <div aria-live="polite">
        <p className="mb-2 text-body text-ink-soft">Le document se prépare…</p>
        <Skeleton className="h-96 w-full" />
      </div>
    )
  return (
    <section aria-label="Aperçu du document" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink-soft">Le document tel qu’il serait établi. Rien n’est encore conservé.</p>
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ variant: 'secondary', size: 'small' })}
        >
          Ouvrir dans un onglet
        </a>
      </div>
      {navigator.pdfViewerEnabled ? (
        <iframe
          title="Aperçu du document"
          src={address}
          className="h-[75vh] min-h-96 w-full rounded-card border border-line bg-page"
        />
      ) : (
        <p className="rounded-card border border-line bg-page p-6 text-center text-body">
          Ce navigateur n’affiche pas les PDF dans une page&nbsp;: ouvrez le document dans un onglet.
        </p>
      )}
    </section>
  )
}
