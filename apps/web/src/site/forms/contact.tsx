import CalendarDays from 'lucide-react/icons/calendar-days'
import Clock from 'lucide-react/icons/clock'
import Mail from 'lucide-react/icons/mail'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Eyebrow } from '../blocks/section.tsx'
import { BookingButton } from '../booking/booking-button.tsx'
import { SimulatorButton } from '../simulator/simulator-button.tsx'
import { type FieldSpec, PERSON_FIELDS } from './field-checks.ts'
import { SiteForm } from './site-form.tsx'

const SUBJECTS = [
  { value: '', label: 'Choisissez…' },
  { value: 'demo', label: 'Voir une démonstration' },
  { value: 'projet', label: 'Parler d’un projet' },
  { value: 'tarifs', label: 'Les tarifs et l’offre Enterprise' },
  { value: 'support', label: 'Une question sur mon compte' },
  { value: 'partenariat', label: 'Un partenariat' },
  { value: 'presse', label: 'La presse' },
  { value: 'autre', label: 'Autre chose' },
]
const CONTACT_FIELDS: readonly FieldSpec[] = [
  ...PERSON_FIELDS,
  { name: 'phone', label: 'Téléphone', type: 'tel', autoComplete: 'tel', optional: true, maxLength: 30 },
  { name: 'subject', label: 'Sujet', type: 'select', options: SUBJECTS },
  { name: 'message', label: 'Votre message', type: 'textarea', minLength: 10, maxLength: 5000 },
]
const isSubject = (subject: string | null) => SUBJECTS.some(({ value }) => value === subject)

type FactProps = { icon: typeof Mail; title: string; children: ReactNode }
const ContactFact = ({ icon: Icon, title, children }: FactProps) => (
  <div className="grid grid-cols-[1.5rem_1fr] gap-4">
    <Icon aria-hidden="true" className="mt-0.5 size-6 text-[#b45309]" />
    <div>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mt-1 text-ink-soft">{children}</div>
    </div>
  </div>
)

const ContactFacts = () => (
  <div className="grid content-start gap-8">
    <ContactFact icon={CalendarDays} title="Une démonstration de trente minutes">
      <p className="mb-4">
        Choisissez un créneau&nbsp;: nous vous montrons la plateforme sur un projet comme le vôtre.
      </p>
      <BookingButton label="Demander une démo" />
    </ContactFact>
    <ContactFact icon={Clock} title="Une estimation en trois minutes">
      <p className="mb-4">
        Production, économies et retour sur investissement de votre projet, avec un rapport à partager.
      </p>
      <SimulatorButton label="Simuler mon projet" variant="secondary" />
    </ContactFact>
    <ContactFact icon={Mail} title="Par e-mail">
      <p>
        <a href="mailto:contact@voisol.fr" className="text-link">
          contact@voisol.fr
        </a>
        . Déjà client&nbsp;?{' '}
        <Link to="/login" className="text-link">
          Connectez-vous
        </Link>
        &nbsp;: vos opérations y sont, et le support aussi.
      </p>
    </ContactFact>
  </div>
)

/** Where every « Démo gratuite » leads. */
export default function ContactPage() {
  const [search] = useSearchParams()
  const subject = search.get('sujet')
  return (
    <div className="bg-page">
      <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
        <Eyebrow>Contact</Eyebrow>
        <h1 className="max-w-3xl text-4xl font-semibold leading-[1.08] outline-none sm:text-5xl">
          Parlons de votre toit, et de vos voisins
        </h1>
        <p className="prose-width mt-5 text-lg leading-relaxed text-ink-soft">
          Syndic, collectivité, bailleur, industriel ou habitant&nbsp;: dites-nous où vous en êtes, une personne qui
          connaît le sujet vous répond.
        </p>
        <div className="mt-12 grid gap-12 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16">
          <div className="rounded-card border border-line bg-card p-5 shadow-card sm:p-8">
            <SiteForm
              path="/api/contact"
              fields={CONTACT_FIELDS}
              action="Envoyer mon message"
              {...(isSubject(subject) && { preset: { subject: subject ?? '' } })}
              note={
                <>
                  Ces informations servent à vous répondre et à rien d’autre&nbsp;:{' '}
                  <Link to="/rgpd" className="text-link">
                    vos données personnelles
                  </Link>
                  .
                </>
              }
            />
          </div>
          <ContactFacts />
        </div>
      </div>
    </div>
  )
}
