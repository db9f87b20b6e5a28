import { useEffect, useRef } from 'react'
import { showInSandbox } from '../lib/trusted-types.ts'

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
