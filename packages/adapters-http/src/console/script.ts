/**
 * The script. Every page also works without it. It reloads a page that waits for the lender, copies a text to the
 * clipboard, prints a statement, and shows what is hidden without it. A reload replaces only the content, and not while
 * the user fills in a form. It keeps opened details, the focus and the scroll position.
 */
export const script = `"use strict";
addEventListener("click",async event=>{if(event.target.closest("[data-print]"))return print();const button=event.target.closest("[data-copy]");if(!button)return;
try{await navigator.clipboard.writeText(button.dataset.copy);button.textContent=button.dataset.copied}catch{}});
const reveal=()=>{for(const one of document.querySelectorAll("[data-copy],[data-print],[data-script]"))one.hidden=false};reveal();
const isChosen=one=>one.selectedIndex!==Math.max(0,Array.from(one.options).findIndex(({defaultSelected})=>defaultSelected));
const isFilledIn=()=>Array.from(document.querySelectorAll("main select")).some(isChosen)||document.activeElement?.closest("main form")||Array.from(document.querySelectorAll("main input,main textarea")).some(one=>one.value!==one.defaultValue||one.checked!==one.defaultChecked);
const nameOf=one=>one?one.localName+" "+(one.id||one.getAttribute("href")||one.textContent.replace(/\\d+/g,"").trim()):"";
const partOf=one=>nameOf(one.querySelector("summary"));
const replaceMain=main=>{const old=document.querySelector("main"),active=document.activeElement,focused=old.contains(active)?nameOf(active):"",{scrollX,scrollY}=window;
const states=new Map(Array.from(old.querySelectorAll("details"),one=>[partOf(one),one.open]));
for(const one of main.querySelectorAll("details"))one.open=states.get(partOf(one))??one.open;
old.replaceWith(main);reveal();
if(focused)Array.from(main.querySelectorAll("a,button,summary")).find(one=>nameOf(one)===focused)?.focus({preventScroll:true});
scrollTo(scrollX,scrollY)};
const follow=async()=>{const here=document.querySelector("[data-follow]");if(!here)return;
if(document.visibilityState==="visible"&&!isFilledIn())try{
const answer=await fetch(location.href,{headers:{accept:"text/html"},redirect:"error"});
if(answer.ok){const next=new DOMParser().parseFromString(await answer.text(),"text/html");
const main=next.querySelector("main");if(main&&!isFilledIn()&&next.querySelector("[data-state]")?.dataset.state!==document.querySelector("[data-state]")?.dataset.state){
replaceMain(main);document.querySelector("#live").textContent=main.querySelector("h1")?.textContent+": "+(main.querySelector("[data-state]")?.textContent??"")}}}catch{}
setTimeout(follow,Number(here.dataset.follow)||2000)};setTimeout(follow,1500);
`
