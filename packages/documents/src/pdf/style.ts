/** Design tokens of the product for PDF. Data colours are the same as on the screens. */
export const COLOURS = {
  ink: '#0f172a',
  quiet: '#475569',
  faint: '#64748b',
  hairline: '#e2e8f0',
  rule: '#cbd5e1',
  tint: '#f8fafc',
  paper: '#ffffff',
  link: '#0059b8',
  night: '#1e3a8a',
  sun: '#f59e0b',
  grid: '#64748b',
  surplus: '#14b8a6',
  roof: '#3b62c4',
  warmTint: '#fffbeb',
  warmInk: '#92400e',
} as const

/** A4 in points. */
export const PAGE_LAYOUT = { width: 595.28, height: 841.89, left: 56, right: 56, top: 84, bottom: 72 } as const
export const CONTENT_WIDTH = PAGE_LAYOUT.width - PAGE_LAYOUT.left - PAGE_LAYOUT.right

export const PRODUCT_NAME = 'Voisol'
