// Saves a text as a file of the person's machine.

export function saveText(name: string, text: string, type = 'text/csv'): void {
  const link = document.createElement('a');
  const address = URL.createObjectURL(new Blob([text], { type }));
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
