import MailCheck from 'lucide-react/icons/mail-check'
import { useVerificationLink } from '../lib/verification-link.ts'

/** Until the address is confirmed nobody can be invited: said where it will be missed, with the way out. */
export function EmailVerificationBanner({ email }: { email: string }) {
  const { sent, send } = useVerificationLink()
  return (
    <section
      aria-label="Adresse à confirmer"
      data-print="hide"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-1.5 text-center text-[0.8125rem]"
    >
      <MailCheck aria-hidden="true" className="hidden size-4 text-ink-soft sm:block" />
      <p>
        {sent ? 'Un nouveau lien est parti' : 'Confirmez votre adresse'}
        <span className="hidden sm:inline"> {sent ? `à ${email}` : email}</span>
        {sent ? '.' : ' pour inviter d’autres personnes et protéger votre compte.'}
      </p>
      {!sent && (
        <button
          type="button"
          onClick={send}
          className="min-h-6 font-medium text-primary-ink underline underline-offset-2"
        >
          Renvoyer le lien
        </button>
      )}
    </section>
  )
}
