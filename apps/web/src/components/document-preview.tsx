import { type ReactNode, useEffect, useRef, useState } from 'react'
import { showInSandbox } from '../lib/trusted-types.ts'
import { getButtonClass } from './button.tsx'

/** A message as its reader sees it; nothing in it runs, and its links lead nowhere from here. */
export function MailView({ mail }: { mail: { subject: string; html: string; text: string } }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (frame.current) showInSandbox(frame.current, mail.html)
  }, [mail.html])
  return (
    <div className="grid gap-3">
      <p className="text-body break-words">
        <span className="text-ink-soft">Objet{'\u00a0'}:</span> <bdi className="font-medium">{mail.subject}</bdi>
      </p>
      <iframe
        ref={frame}
        title="Aperçu du message"
        sandbox=""
        className="h-[32rem] w-full rounded-card border border-line bg-page"
      />
      <details className="text-body">
        <summary className="min-h-6 text-link">Le même message en texte seul</summary>
        <pre className="mt-2 rounded-card bg-page p-4 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
          {mail.text}
        </pre>
      </details>
    </div>
  )
}

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
