// What went wrong with a form that was sent; nothing when all is well.

export function Problem({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p class="answer-failure" role="alert">
      {text}
    </p>
  );
}
