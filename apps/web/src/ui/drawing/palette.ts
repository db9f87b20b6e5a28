/** Five colours and their tints: ink, slate, night blue, amber, turquoise. */
export const INK = '#22304a'
export const drawingColours = {
  light: '#ffffff',
  mid: '#edf2f8',
  shade: '#d3deeb',
  ground: '#f4f7fb',
  street: '#e4ebf4',
  glass: '#b9c9de',
  roof: '#5b76a8',
  panel: '#1e3a8a',
  text: '#334155',
  panelLine: '#7f9ad6',
  leaf: '#a7e3da',
  sun: '#f59e0b',
  cream: '#fff6e3',
  glow: '#fdeac8',
  cable: '#fde3b0',
  surplus: '#14b8a6',
  cableSurplus: '#c5efe9',
}
