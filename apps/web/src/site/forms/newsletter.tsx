import { SiteForm } from './site-form.tsx'

/** One field, for those who want to hear of what is new. */
export const NewsletterForm = () => (
  <section aria-labelledby="newsletter" className="rounded-card border border-line bg-page p-6 sm:p-8">
    <h2 id="newsletter" className="text-xl font-semibold">
      La lettre de l’énergie partagée
    </h2>
    <p className="mt-2 mb-5 max-w-xl text-ink-soft">
      Les règles qui changent, les chiffres qui comptent, ce qui marche ailleurs. Une fois par mois, et l’on se
      désabonne d’un clic.
    </p>
    <SiteForm
      path="/api/newsletter"
      fields={[{ name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 }]}
      action="Recevoir la lettre"
      note="Un message de confirmation vous sera envoyé."
    />
  </section>
)
