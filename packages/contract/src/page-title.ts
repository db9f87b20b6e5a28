/** What a page says of itself when nobody wrote anything better; without schemas, because every page loads it. */
export const PRODUCT = 'Voisol'
export const FALLBACK = {
  title: `${PRODUCT} — Intelligence Énergétique`,
  description: 'La plateforme française d’autoconsommation collective solaire.',
  keywords: [PRODUCT, 'autoconsommation collective', 'énergie solaire'],
  previewImageUrl: '/og-preview.png',
}

/** The name of the product or of the company follows the title, unless the title already says it. */
export const fullTitle = (title: string | undefined, company = PRODUCT) =>
  !title ? FALLBACK.title : title.includes(company) ? title : `${title} — ${company}`
