import { type ReactNode, useEffect, useState } from 'react'
import { getButtonClass } from './button.tsx'

/** An address of the very bytes, for as long as they are shown. */
function useObjectUrl(file: Blob): string {
  const [address, setAddress] = useState('')
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return address
}

/** A paper that the page itself fetched, in the page and in a tab of its own. */
export function PdfPreview({ file, title, children }: { file: Blob; title: string; children: ReactNode }) {
  const address = useObjectUrl(file)
  if (!address) return null
  return (
    <section aria-label={title} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink-soft">{children}</p>
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className={getButtonClass({ variant: 'secondary', size: 'small' })}
        >
          Ouvrir dans un onglet
        </a>
      </div>
      {navigator.pdfViewerEnabled ? (
        <iframe
          title={title}
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
