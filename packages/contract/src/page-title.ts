/** What a page says of itself when nobody wrote anything better; without schemas, because every page loads it. */
export const PRODUCT_NAME = 'Voisol'
export const DEFAULT_METADATA = {
  title: `${PRODUCT_NAME} — Intelligence Énergétique`,
  description: 'La plateforme française d’autoconsommation collective solaire.',
  keywords: [PRODUCT_NAME, 'autoconsommation collective', 'énergie solaire'],
  previewImageUrl: '/og-preview.png',
}

/** The name of the product or of the company follows the title, unless the title already says it. */
export const buildFullTitle = (title: string | undefined, company = PRODUCT_NAME) =>
  !title ? DEFAULT_METADATA.title : title.includes(company) ? title : `${title} — ${company}`
